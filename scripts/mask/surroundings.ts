import type { Values } from './secrets.ts'

/** What stands before and after a value, as people paste it. `name` is that of settings: `DB_PASSWORD`. */
export type Surround = (name: string, values: Values) => readonly [before: string, after: string]

const camel = (name: string) =>
  name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
const low = (name: string) => name.toLowerCase()

/** Places for keys: all of them name the key. */
export const keySurroundings: readonly Surround[] = [
  (name) => [`# production\nNODE_ENV=production\n${name}=`, '\nPORT=8080\n'],
  (name) => [`export ${name}="`, '"\nmake deploy\n'],
  (name) => [`{\n  "region": "eu-central-1",\n  "${camel(name)}": "`, '",\n  "retries": 3\n}\n'],
  (name) => [`services:\n  web:\n    image: nginx:1.27\n    environment:\n      ${name}: `, '\n    ports:\n      - "80:80"\n'],
  (name) => [`[default]\nregion = eu-west-1\n${low(name)} = `, '\noutput = json\n'],
  (name) => [`const client = new Client({ ${camel(name)}: '`, "', timeout: 30 })\n"],
  (name) => [`$ docker run -d --name web -e ${name}=`, ' -p 80:80 registry.local/web:1.4\n'],
  (name, { below }) => [`2026-03-0${1 + below(9)}T11:22:33Z INFO starting worker with ${low(name)}=`, ' retries=3\n'],
  (name) => [`resource "app" "main" {\n  ${low(name)} = "`, '"\n  size = 2\n}\n'],
  (name) => [`{"level":"debug","msg":"config","${low(name)}":"`, '","pid":4211}\n'],
] // biome-ignore format: a table to skim

/** Places for what is known by its look: nothing names it. */
export const bareSurroundings: readonly Surround[] = [
  () => ['[11:22:33] ERROR request failed: 401 for key ', ' (attempt 2 of 3)\n'],
  () => ['could you try with ', ' please? Mine has expired.\n'],
  () => ['$ ./deploy.sh ', ' --verbose\ndone\n'],
  () => ['| name | value |\n|---|---|\n| prod | `', '` |\n'],
  () => ['{"message":"first line\\n', '\\nlast line"}\n'],
  () => ['11:22:33 \x1b[33mWARN\x1b[0m refused \x1b[36m', '\x1b[0m again\n'],
  () => ['{"msg":"\\u001b[31mrefused\\u001b[39m \\u001b[36m', '\\u001b[39m"}\n'],
] // biome-ignore format: a table to skim

/** Places for passwords. */
export const passwordSurroundings: readonly Surround[] = [
  () => ['DB_HOST=db\nDB_PASSWORD=', '\nDB_NAME=app\n'],
  () => ['spring:\n  datasource:\n    username: app\n    password: ', '\n    url: jdbc:postgresql://db/app\n'],
  () => ['{"user": "app", "password": "', '", "host": "db"}\n'],
  () => ['[client]\nuser = app\npassword = ', '\nhost = db\n'],
  () => ['DATABASE_URL=postgres://app:', '@db.internal:5432/app\n'],
  () => ['$ curl -sS -u app:', ' https://nexus.internal/repository/\n'],
  () => ['Server=db;Database=app;User Id=app;Password=', ';Encrypt=true\n'],
  () => ['GET /login?user=app&password=', '&next=%2F HTTP/1.1\nHost: app.internal\n'],
  () => ["CREATE USER app IDENTIFIED BY '", "';\n"],
  () => ['machine git.internal login app password ', '\n'],
  () => ['environment:\n  - POSTGRES_USER=app\n  - POSTGRES_PASSWORD=', '\n'],
  () => ["conn = connect(host='db', user='app', password='", "')\n"],
  () => ['spec:\n  env:\n    - name: DB_PASSWORD\n      value: ', '\n    - name: PORT\n      value: "80"\n'],
  () => ['<bean><username>app</username><password>', '</password></bean>\n'],
  () => ['$ psql --username app --password=', ' app\n'],
  () => ['requirepass ', '\nmaxmemory 100mb\n'],
  () => ['smtp_user: app@relay\nsmtp_pass: ', '\nsmtp_port: 587\n'],
  () => ['11:22:33 INFO login of app with password=', ' from the page\n'],
  () => ['11:22:33 \x1b[32mINFO\x1b[0m \x1b[36mpassword\x1b[0m=\x1b[33m', '\x1b[0m db=app\n'],
  () => ['{"log":"trying db.password=', ' for app\\n","stream":"stderr"}\n'],
  () => ['services:\n  db:\n    environment:\n      MYSQL_ROOT_PASSWORD: ', '\n    image: mariadb\n'],
  () => ['ssid=Home\nwpa_passphrase=', '\nwpa_key_mgmt=WPA-PSK\n'],
  () => ['$ docker login -u app -p ', ' registry.lan\n'],
  () => ['$ smbclient //nas/share -U app%', ' -c ls\n'],
  () => ["$ echo 'app:", "' | sudo chpasswd\n"],
  () => ['$ mysqldump --user app --password ', ' shop\n'],
  () => ['stream: rtsp://admin:', '@camera.lan/stream1\n'],
] // biome-ignore format: a table to skim

/** Places for the kinds that are known by where they are. */
export const ownSurroundings: Readonly<Record<string, readonly Surround[]>> = {
  'bearer-token': [
    () => ["$ curl -H 'Authorization: Bearer ", "' https://api.internal/v1/me\n"],
    () => ['> GET /v1/me HTTP/1.1\n> Host: api\n> authorization: Bearer ', '\n> accept: */*\n'],
    () => ['headers = {"Authorization": "Bearer ', '"}\n'],
    () => ['WWW request to /v1/me, sending bearer ', '\n'],
  ],
  'basic-auth': [
    () => ['> Authorization: Basic ', '\n> Accept: */*\n'],
    () => ["fetch(url, { headers: { authorization: 'Basic ", "' } })\n"],
    () => ["http --verify=no :8080 'Authorization:Basic ", "'\n"],
    () => ['proxy_set_header Authorization "Basic ', '";\n'],
  ],
  cookie: [
    () => ['< Set-Cookie: sessionid=', '; Path=/; HttpOnly\n'],
    () => ['Cookie: theme=dark; connect.sid=', '; lang=en\n'],
    () => ["curl 'https://app.internal/' -H 'cookie: auth_token=", "'\n"],
  ],
  'password-hash': [
    () => ['root:', ':19700:0:99999:7:::\n'],
    () => ["INSERT INTO users VALUES (7, 'app', '", "');\n"],
  ],
  secret: [
    () => ['$ git clone https://', '@git.internal/app/web.git\n'],
    () => ['  url = https://', ':x-oauth-basic@github.com/app/web.git\n'],
  ],
  'azure-key': [
    () => ['DefaultEndpointsProtocol=https;AccountName=app;AccountKey=', ';EndpointSuffix=core.windows.net\n'],
    () => ['Endpoint=sb://app.servicebus.windows.net/;SharedAccessKeyName=root;SharedAccessKey=', '\n'],
  ],
  ip: [
    () => ['11:22:33 sshd[811]: Accepted publickey for app from ', ' port 51234 ssh2\n'],
    () => ['upstream app {\n  server ', ';\n}\n'],
    () => ['dial tcp: lookup db on ', ': no such host\n'],
    () => ['    inet ', '/24 scope global eth0\n'],
    () => ['Connecting to ', ' port 22.\n'],
    () => ['host all all ', '/32 scram-sha-256\n'],
    () => ['{"client":"', '","status":200}\n'],
    () => ['    inet \x1b[35m', '\x1b[0m/24 scope global eth0\n'],
    () => ['{"msg":"\\u001b[36m', '\\u001b[39m is up\\n"}\n'],
  ],
  mac: [
    () => ['    link/ether ', ' brd ff:ff:ff:ff:ff:ff\n'],
    () => ['DHCPACK(br0) 3 days ', ' printer\n'],
    () => ['? (router) at ', ' [ether] on eth0\n'],
    () => ['host nas { hardware ethernet ', '; }\n'],
  ],
  email: [
    () => ['Author: Somebody <', '>\nDate: Mon Mar 2\n'],
    () => ['postfix/smtp[99]: to=<', '>, relay=none, status=deferred\n'],
    () => ['mailto:', '?subject=Hello\n'],
    () => ['Signed-off-by: Somebody <', '>\n'],
    () => ['{"id":7,"mail":"', '","plan":"team"}\n'],
  ],
  user: [
    () => ['  File "/home/', '/src/app/main.py", line 7, in <module>\n'],
    () => ['error TS2304 in /Users/', '/work/web/src/index.ts:3:1\n'],
    () => ['at Main() in C:\\Users\\', '\\source\\App\\Program.cs:line 12\n'],
    () => ['{"cwd":"C:\\\\Users\\\\', '\\\\app"}\n'],
    () => ['bash: /home/', ': Permission denied\n'],
    () => ['rsync to /volume1/homes/', '/backup done\n'],
    () => ['{"file":"\\/home\\/', '\\/app\\/index.php"}\n'],
  ],
} // biome-ignore format: a table to skim
