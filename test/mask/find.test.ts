import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { findSecrets, maskKinds, table } from '../../src/mask/mask.ts'
import { repository } from '../support/process.ts'

const found = (text: string) => findSecrets(text).map(({ kind, value }) => `${kind} ${value}`)

describe('what is found', () => {
  test.each([
    ['lease of 10.1.2.3 from 192.168.7.1:53.', ['ip 10.1.2.3', 'ip 192.168.7.1']],
    ['172.16.3.4, 172.31.3.4, 100.64.9.9 and 169.254.7.7', ['ip 172.16.3.4', 'ip 172.31.3.4', 'ip 100.64.9.9', 'ip 169.254.7.7']],
    ['range 10.0.0.5-10.0.0.9 in 10.8.0.0/24', ['ip 10.0.0.5', 'ip 10.0.0.9', 'ip 10.8.0.0']],
    ['ping fe80::1ff:fe23:4567:890a%eth0', ['ip fe80::1ff:fe23:4567:890a']],
    ['on [fd12:3456:789a::1]:443', ['ip fd12:3456:789a::1']],
    ['ether 00:1A:2b:3c:4d:5e, 00-1a-2b-3c-4d-5e, 001a.2b3c.4d5e', ['mac 00:1A:2b:3c:4d:5e', 'mac 00-1a-2b-3c-4d-5e', 'mac 001a.2b3c.4d5e']],
    ['cd /home/ines/src && ls /Users/ines.kaya', ['user ines', 'user ines.kaya']],
    ['C:\\Users\\Ines Kaya\\x and "D:\\\\Users\\\\ines\\\\x"', ['user Ines Kaya', 'user ines']],
    ['/mnt/c/Users/ines/x, file:///home/ines', ['user ines', 'user ines']],
    ['From: Ines <ines.kaya+lists@corp.co.uk>', ['email ines.kaya+lists@corp.co.uk']],
    ['{"password":"hunter22","a":1}', ['password hunter22']],
    ['"{\\"password\\":\\"hunter22\\"}"', ['password hunter22']],
    ['password: "three-plain-words"', ['password three-plain-words']],
    ['ADMIN_PASS=swordfish', ['password swordfish']],
    ['ADMIN_PASS="correct horse battery"', ['password correct horse battery']],
    ['user: app\npassword: a1&b2;c3,d4\nport: 1', ['password a1&b2;c3,d4']],
    ['connect({ password: a1b2-c3d4, port })', ['password a1b2-c3d4']],
    [`SESSION_TOKEN=${'a1B2'.repeat(400)} next`, [`secret ${'a1B2'.repeat(400)}`]],
    ['amqp://app:k9-Zw@mq:5672', ['password k9-Zw']],
    ['Authorization: Bearer a1b2c3d4e5f6a7b8', ['bearer-token a1b2c3d4e5f6a7b8']],
    ['Authorization: Basic YXBwOmh1bnRlcg==', ['basic-auth YXBwOmh1bnRlcg==']],
    ['Cookie: a=1; sid=a1b2c3d4e5f6a7b8c9; token=d1e2f3a4b5c6d7e8', ['cookie a1b2c3d4e5f6a7b8c9', 'cookie d1e2f3a4b5c6d7e8']],
    ['x-api-key: 0f1e2d3c4b5a', ['secret 0f1e2d3c4b5a']],
    ['https://a.internal/?access_token=a1b2c3d4&x=1', ['secret a1b2c3d4']],
    ['INFO password=hunter2', ['password hunter2']],
    ['login of ines, password=swordfish; retry', ['password swordfish']],
    ['passwd=secret123 password=Pa55word pwd=12345678', ['password secret123', 'password Pa55word', 'password 12345678']],
    ['user=ines,password=swordfish,host=db', ['password swordfish']],
    ["it can't connect with password='swordfish'", ['password swordfish']],
    ['Config{user=ines, password=swordfish} (user=ines, password=hunter2)', ['password swordfish', 'password hunter2']],
    ['{"log":"INFO password=swordfish for ines\\n","n":[1]}', ['password swordfish']],
    ['{"password": "37356011"} password: 37356011', ['password 37356011', 'password 37356011']],
    ['INFO password=monkey', ['password monkey']],
    ['db.password=swordfish', ['password swordfish']],
    [`<user name="ines" password="swordfish"/> passwd='geheim'`, ['password swordfish', 'password geheim']],
    ['password: hunter2', ['password hunter2']],
    ['Enter password: hunter2 and go', ['password hunter2']],
    ['wpa_passphrase=meinwlan123', ['password meinwlan123']],
    ['PW=geheim', ['password geheim']],
    ['pw: geheim99', ['password geheim99']],
    ['Server=db;username=app;Pwd=geheim', ['password geheim']],
    ['environment:\n  MYSQL_ROOT_PASSWORD: geheim\n  DB_PASSWORD: "ge-heim" # old', ['password geheim', 'password ge-heim']],
    ['mysqldump --password geheim shop', ['password geheim']],
    ['tool --password geheim --verbose', ['password geheim']],
    ['docker login -u ines -p geheim registry.lan', ['password geheim']],
    ['smbclient //nas/x -U ines%geheim', ['password geheim']],
    ["echo 'ines:geheim' | sudo chpasswd", ['password geheim']],
    ['printf "ines:geheim\\n" | chpasswd', ['password geheim']],
    ['echo geheim | docker login -u ines --password-stdin', ['password geheim']],
    ['echo "geheim" | sudo -S reboot', ['password geheim']],
    ['echo geheim | sudo passwd --stdin ines', ['password geheim']],
    ['a=1\npassword=hunter&2go\nb=2', ['password hunter&2go']],
    ['POST /\n\npassword=hunter2&next=a', ['password hunter2']],
    ['rtsp://admin:admin123@cam/1', ['password admin123']],
    [`https://${'0f1e2d3c4b'.repeat(4)}@github.com/a/b`, [`secret ${'0f1e2d3c4b'.repeat(4)}`]],
    [`https://${'0f1e2d3c4b'.repeat(4)}:x-oauth-basic@github.com/a`, [`secret ${'0f1e2d3c4b'.repeat(4)}`, 'password x-oauth-basic']],
    [`api:\n  encryption:\n    key: "${'q8Vx'.repeat(10)}abc="`, [`secret ${'q8Vx'.repeat(10)}abc=`]],
    ['MAC=ec:7f:12:34:56:78:3c:1a:2b:3c:4d:5e:08:00', ['mac ec:7f:12:34:56:78', 'mac 3c:1a:2b:3c:4d:5e']],
    ['MAC=ff:ff:ff:ff:ff:ff:3c:1a:2b:3c:4d:5e:08:00', ['mac 3c:1a:2b:3c:4d:5e']],
    ['/volume1/homes/ines/x /var/services/homes/ines /mnt/tank/home/ines', ['user ines', 'user ines', 'user ines']],
  ])('in %j', (text, expected) => {
    expect(found(text)).toEqual(expected)
  })

  test('where the same secret stands again, without its name', () => {
    const value = `Zx8${'q7W'.repeat(4)}`
    expect(found(`SECRET_KEY=${value}\nsending ${value} to the server\nnot x${value}`)).toEqual([
      `secret ${value}`,
      `secret ${value}`,
    ])
  })

  test('has its line and column, as an editor counts them', () => {
    expect(findSecrets('a\r\n  10.1.2.3\n\n10.1.2.4').map(({ line, column, length }) => [line, column, length])).toEqual([
      [2, 3, 8],
      [4, 1, 8],
    ])
  })

  test('is the more telling kind where two of them meet', () => {
    const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
    expect(found(`GITHUB_TOKEN=${token}`)).toEqual([`github-token ${token}`])
    expect(found(`https://app:${token}@git.internal/x`)).toEqual([`github-token ${token}`])
    expect(found(`secret="app1:${token}"`)).toEqual([`github-token ${token}`])
  })

  test('is a whole block of a private key, with line ends or without', () => {
    const lines = ['-----BEGIN OPENSSH PRIVATE', ' KEY-----\n', `${'b3BlbnNz'.repeat(8)}\n`.repeat(3), '-----END OPENSSH PRIVATE', ' KEY-----']
    const key = lines.join('')
    expect(found(`a\n${key}\nb`)).toEqual([`private-key ${key}`])
    expect(found(JSON.stringify({ key, a: 1 }))).toEqual([`private-key ${key.replaceAll('\n', '\\n')}`])
    const cut = lines.slice(0, 3).join('').trimEnd()
    expect(found(`${cut}\nand words after it`)).toEqual([`private-key ${cut}`])
    expect(found(`${cut}\nand words\n${key}`)).toEqual([`private-key ${cut}`, `private-key ${key}`])
  })
}) // biome-ignore format: a table to skim

describe('what is left alone', () => {
  test.each([
    '8.8.8.8 and 172.32.0.1, 11.0.0.1, 192.169.1.1, 2001:db8::1',
    'version 10.0.0.1, v10.0.0.1, pkg-10.0.0.1, "dep": "^10.0.0.1", x==10.0.0.1, 10.0.0.1-beta, 10.0.0.1.5',
    '10.0.0.0/8, 192.168.0.0/16, fe80::/10, fc00::/7, 169.254.169.254',
    '00:00:00:00:00:00 ff:ff:ff:ff:ff:ff 01:00:5e:00:00:fb',
    '/home/user/x /home/runner/work /Users/Shared /home/ubuntu C:\\Users\\Public\\x /home/$USER/x /home/index.html',
    'https://site.net/home/page and src/home/page.ts',
    'ines@example.com, x@host.example, noreply@github.com, git@github.com:a/b.git, logo@2x.png, pkg@1.2.3, zlib@openssh.com',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as in files of settings
    'password=$PASSWORD password: ${{ secrets.X }} password = "<password>" PASSWORD=changeme',
    'const password = getPassword(); token = tokens[0]; password: string; { secret: config.secret2 }',
    "type: 'password', label: 'Password', token_type: 'bearer1', passwordField: 'field22x'",
    'max_tokens: 4096, nextPageToken: "a1b2c3d4", csrf_token: "a1b2c3d4", tokenUrl: "https://a/b2"',
    'Basic authentication is not a Bearer authentication, see Bearer authorizationHeaders',
    'postgres://user:password@host/db http://user:$PASS@host',
    `AKIAIOSFODNN7${'EXAMPLE'} sk-learn-contrib-something-with-a-long-name ghp_${'x'.repeat(36)}`,
    `xghp_${'a1B2c3D4e5F6'.repeat(3)}`,
    `"-----BEGIN RSA ${'PRIVATE'} KEY-----" begins such a block`,
    'input[type=password]:focus{color:red} secret=true passwd: /etc/passwd:x:0',
    'password: "a1b2"; let token = handler22; secret = digest22',
    '/etc/passwd: 429b225650b912a2, arn:aws:secretsmanager:eu:1:secret:db22-f5e2a1',
    '<password-1> password=<password-1> /home/<user-1>/x Bearer <bearer-token-1> http://a:<password-2>@b',
    'connect(user=user, password=phrase) foo(password=self.phrase, pw=args.phrase, password=None, password=getpass())',
    'password = self::$resolver->phrase2(); password=new_pw password=apiKey password=password_hash password=args.pw password=getpass() password=db_password password=hashed_password password=password',
    '    password=phrase,\n    user=user,',
    'let password=phrase; this.password=phrase; $password=phrase; password=phrase||other; password==phrase',
    "var body='user='+name+'&password='+phrase+'&x=1'; password=await ask()",
    'usage: tool --password=PASSWORD --pass=FILE --password=file, or password=... or password=xxxx',
    'PASS=34 FAIL=2 pass=1234 two_pass=compile bypass=always',
    'PWD=/opt/app\nOLDPWD=/srv\npwd: /srv/a1b2c3',
    'use --password to set it; the --password option is new, and --password suffers from the same problem',
    'interface A {\n  PASSWORD: string\n  RESET_PASSWORD: resetPhrase,\n  TOKEN: INVALID_END\n}',
    '<input type=password name=password id=pw autocomplete=current-password>',
    'pw = getpwnam(name); { user: user1, password: hash22 }\n  password: hash22,',
    'password=enabled password=expired (using password: YES) password: required',
    'docker login -p $TOKEN; echo $X | docker login --password-stdin; echo done | tee x; echo a:b | grep c',
    'https://a-name-of-a-host-without-digits@host/ https://host/0f1e2d3c4b0f1e2d3c4b0f1e@2x.png',
    'docker login && docker run -d -p 8080:80 nginx',
    'docker login r -u n --password-stdin && docker compose -p shop up',
    'az login -u a && az vm create -p webserver; net use && rsync -U a%bcd; mysql a && ssh -p2222x h',
    'echo hello | git hash-object --stdin',
    'postgres://reporting-service-prod2@db.lan/x ssh://git-codecommit-eu-west-1@host',
    'https://user-name-with-digits-123@host/ https://Service_Account_Of_Reports_2@host/',
    'encryption:\n  key: aes, 3c:1a:2b:3c:4d:5e:08:00 MAC=none',
    '/mnt/user/appdata/x /homes/for-sale /share/Public/x',
  ])('%j', (text) => {
    expect(found(text)).toEqual([])
  })
})

describe('the table', () => {
  test('has names that placeholders and messages can use', () => {
    expect(maskKinds.length).toBeGreaterThanOrEqual(25)
    expect(maskKinds.filter((kind) => !/^[a-z][a-z-]{1,30}$/.test(kind))).toEqual([])
    expect(new Set(table.map(({ kind, words }) => `${kind} ${words}`)).size).toBe(maskKinds.length)
  })
})

describe('docs/mask.md', () => {
  test('names every kind, and no other', async () => {
    const document = await Bun.file(join(repository, 'docs/mask.md')).text()
    const [, list = ''] = /## What is found\n([\s\S]*?)\n## /.exec(document) ?? []
    const rows = list.split('\n').filter((line) => line.startsWith('| `'))
    const named = [...rows.map((row) => row.split('|')[1] ?? ''), list.slice(list.indexOf('Keys that'))]
    const names = named.flatMap((words) => [...words.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name))
    expect(names.sort()).toEqual([...maskKinds].sort())
  })
})
