// `npm run test:clients`: programs of others, as their registries have them, create here what is fetched back.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { outputOf } from '../../scripts/container/image.ts'
import { cleanEnv, endOf, type RunningServer, run, start, temporaryFolder } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'
import { quiet } from '../support/server.ts'

const minutes = 60_000
setDefaultTimeout(minutes)

/** What stands in the way of a creation. */
const obstacles = ['a wrong key', 'no key', 'the rate limit', 'an empty text', 'a binary text'] as const
type Obstacle = (typeof obstacles)[number]

/**
 * A line of a program is for a shell whose folder is its home. It knows the server as $URL and $HOST, and has a $KEY. A
 * text is in `build.log` and in the standard input, an address to shorten is $TARGET, and $MADE was created last.
 */
type Program = {
  name: string
  /** Programs of the distribution that it needs, with their packages. */
  needs: Readonly<Record<string, string>>
  /** Puts it into an empty folder; what is then in `bin` is found by its name. */
  install?: (folder: string) => Promise<unknown>
  /** The lines that create, each on its own; they print the address, or a text that has it. A program has one of both. */
  pastes?: Readonly<Record<string, string>>
  links?: Readonly<Record<string, string>>
  /** It cannot send a key. */
  isGuest?: true
  /** What it makes of a text before it sends it. */
  sends?: (text: string, way: string) => string
  /** What it says where nothing is created. A program for links has no texts, and that of a guest no wrong key. */
  refused: Readonly<Partial<Record<Obstacle, RegExp>>>
  /** Its exit code then, if it is not 1. */
  refusedCode?: 0
  /** Other lines, in this order, and what they print. */
  others?: Readonly<Record<string, readonly [line: string, says: RegExp]>>
}

const texts: Readonly<Record<string, string>> = {
  ASCII: 'hello\n',
  'UTF-8': 'é 😀\n',
  'line ends of Windows': 'one\r\ntwo\r\n',
  'a mebibyte': 'a'.repeat(1024 ** 2),
}
const targets: Readonly<Record<string, string>> = {
  'an address': 'https://example.org/a/long/address?with=query&more=%C3%A9#fragment',
  'a long one': `https://example.org/${'a'.repeat(2000)}`,
}
/** Texts that no paste can have. */
const refusedTexts: Readonly<Partial<Record<Obstacle, string | Uint8Array>>> = {
  'an empty text': '',
  'a binary text': new Uint8Array([0xff, 0xfe, 0, 1]),
}

/** A program of Debian. */
const debian = (name: string, program = name) => ({ name, needs: { [program]: name } })

/** A package of npm, and a script that calls it. */
const npm = (name: string, script: string) => ({
  name,
  needs: { node: 'nodejs', npm: 'npm' },
  install: async (folder: string) => {
    await outputOf('npm', 'install', '--silent', '--no-audit', '--no-fund', '--prefix', folder, name)
    writeFileSync(join(folder, 'script.mjs'), script)
  },
})

/** A package of PyPI, and a script that calls it where it has no program. */
const pip = (name: string, script = '') => ({
  name,
  needs: { python3: 'python3-venv' },
  install: async (folder: string) => {
    await outputOf('python3', '-m', 'venv', folder)
    await outputOf(join(folder, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check', name)
    writeFileSync(join(folder, 'script.py'), script)
  },
})

/** A package of crates.io. */
const cargo = (name: string) => ({
  name,
  needs: { cargo: 'cargo-web' },
  install: (folder: string) => outputOf('cargo', 'install', '--quiet', '--locked', '--root', folder, name),
})

const script = (action: string, what = '$TARGET') => `node script.mjs $URL "$KEY" ${action} ${what}`

const shlinkScript = `
import { ShlinkApiClient } from '@shlinkio/shlink-js-sdk'
import { NodeHttpClient } from '@shlinkio/shlink-js-sdk/node'
import { FetchHttpClient } from '@shlinkio/shlink-js-sdk/fetch'
const [baseUrl, apiKey, action, what] = process.argv.slice(2)
const http = action === 'node' ? new NodeHttpClient() : new FetchHttpClient()
const client = new ShlinkApiClient(http, { baseUrl, apiKey })
const shortCode = what.split('/').at(-1)
const create = async () => (await client.createShortUrl({ longUrl: what, title: 'A title' })).shortUrl
const actions = {
  node: create,
  fetch: create,
  list: async () => {
    const { data } = await client.listShortUrls({ searchTerm: 'title', orderBy: { field: 'dateCreated', dir: 'DESC' } })
    return data[0].shortUrl === what && data[0].title
  },
  edit: async () => (await client.updateShortUrl({ shortCode }, { title: 'Changed', validUntil: null })).title,
  get: async () => (await client.getShortUrl({ shortCode })).title,
  delete: async () => String(await client.deleteShortUrl({ shortCode })),
  gone: () => client.getShortUrl({ shortCode }).catch(({ type }) => type),
  health: async () => (await client.health()).status,
  tags: async () => (await client.listTags()).data.length + ' tags',
}
try {
  console.log(await actions[action]())
} catch (error) {
  console.error(error.type, error.detail)
  process.exitCode = 1
}
`

const kuttScript = `
import { Kutt } from 'kutt'
const [url, key, , target] = process.argv.slice(2)
const kutt = new Kutt().set('api', url + '/api/v2').set('key', key)
try {
  console.log((await kutt.links().create({ target, expire_in: '2 days' })).link)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
`

/** It takes texts alone. */
const hastebinScript = `
import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { createPaste } from 'hastebin'
const bytes = readFileSync('build.log')
try {
  console.log(await createPaste(isUtf8(bytes) ? bytes.toString() : bytes, { server: process.argv[2] }))
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
`

const pyourlsScript = `
import sys, pyourls3
url, key, action, what = sys.argv[1:]
try:
    client = pyourls3.Yourls(url, key=key)
    print({
        'shorten': lambda: client.shorten(what)['shorturl'],
        'expand': lambda: client.expand(what),
        'url_stats': lambda: client.url_stats(what),
    }[action]())
except Exception as error:
    sys.exit(f'{type(error).__name__} {error}')
`

/** Python opens files as texts, and then knows the line end of Unix alone. Its input stays as it is. */
const linesOfFile = (text: string, way: string) =>
  way === 'from its input' ? text : text.replaceAll('\r\n', '\n')

/** Words of a line where there is a key. */
const ifKey = (words: string) => `\${KEY:+${words}}`
const rpaste = `rpaste -s $URL ${ifKey('-a $KEY')}`
const haste = `echo "server_url=http://${ifKey('x:$KEY@')}$HOST" > .hastec; haste`
const posthaste = 'POSTHASTE_URL=$URL POSTHASTE_TOKEN=$KEY posthaste'
const nptr = '0x0 -q -i $URL upload'
const curl = `curl -s ${ifKey('-H "key: $KEY"')}`
const yourls = `yourls --apiurl $URL/yourls-api.php ${ifKey('--signature $KEY')}`
/** What is at the address that a line prints. */
const headersOf = (line: string) => `curl -sI $(${line})`
const detailsOf = (line: string) => `curl -sH 'Accept: application/json' $(${line})`
const leadsToExample = /^location: https:\/\/example\.org\/\r$/im
const isExpanded = /^https:\/\/example\.org\/a+\n$/

const programs: readonly Program[] = [
  {
    ...cargo('rustypaste-cli'),
    pastes: { 'from a file': `${rpaste} build.log`, 'from its input': rpaste },
    refusedCode: 0,
    refused: {
      'a wrong key': /^Upload error: `.*This API key is not valid.* \(status code: 401\)`\n$/,
      'no key': /^Upload error: `.*needs the API key.* \(status code: 401\)`\n$/,
      'the rate limit': /^Upload error: `.*Try again in \d+ s\..* \(status code: 429\)`\n$/,
      'an empty text': /^Upload error: `.*empty.* \(status code: 422\)`\n$/,
      'a binary text': /^Upload error: `.*not UTF-8.* \(status code: 400\)`\n$/,
    },
    others: {
      'limits the lifetime': [detailsOf(`${rpaste} -e 10min build.log`), /"expiresAt":"/],
      'is read once': [headersOf(`${rpaste} -o build.log | sed s,/p/,/p/raw/,`), /^HTTP\/1.1 403 /],
      'shortens an address': [headersOf(`${rpaste} -u https://example.org/`), leadsToExample],
      'fetches nothing': [`${rpaste} -r https://example.org/ 2>&1`, /fetches nothing.*422/],
      'protects nothing': [`${rpaste} -P build.log 2>&1`, /does not support a file named.*422/],
      lists: [`${rpaste} -l`, /^\[\{"file_name":"/],
      'learns the version': [`${rpaste} -V`, /^rustypaste-server \d+\.\d+\.\d+\n$/],
      deletes: [`${rpaste} -d $(basename $MADE)`, /^file deleted\n$/],
      'is told what is gone': [`${rpaste} -d $(basename $MADE) 2>&1`, /^Delete error: .*deleted/],
    },
  },
  {
    ...debian('pastebinit'),
    pastes: {
      'with the file for it': `mkdir -p .pastebin.d
        curl -s $URL/clients/pastebinit.conf | sed "s/YOUR_API_KEY/$KEY/" > .pastebin.d/shortcrust.conf
        pastebinit -b $HOST build.log`,
    },
    sends: (text, way) => linesOfFile(text, way).trimEnd(),
    refused: {
      'a wrong key': /^Failed to contact the server: HTTP Error 401: Unauthorized\n$/,
      'no key': /^Failed to contact the server: HTTP Error 401: Unauthorized\n$/,
      'the rate limit': /^Failed to contact the server: HTTP Error 429: Too Many Requests\n$/,
      'an empty text': /^You are trying to send an empty document, exiting\.\n$/,
      'a binary text': /^Unable to read from: build\.log\n$/,
    },
  },
  {
    ...debian('gist', 'gist-paste'),
    pastes: {
      'from a file': 'echo $KEY > .gist.http.$(echo $HOST | tr : .); GITHUB_URL=$URL gist-paste build.log',
    },
    refused: {
      'a wrong key': /^Error: Got Net::HTTPUnauthorized .*This API key is not valid\./,
      'no key': /^Error: Got Net::HTTPUnauthorized .*API key is missing\./,
      'the rate limit': /^Error: Got Net::HTTPTooManyRequests .*Try again in \d+ s\./,
      'an empty text': /^Error: Cannot gist empty files\n$/,
      'a binary text': /^Error: invalid byte sequence in UTF-8\n$/,
    },
    others: {
      'prints a raw address': ['curl -s $(GITHUB_URL=$URL gist-paste -R build.log)', /^hello\n$/],
    },
  },
  {
    ...pip('posthaste-cli'),
    pastes: { 'from a file': `${posthaste} build.log`, 'from its input': posthaste },
    sends: linesOfFile,
    refused: {
      'a wrong key': /\n401 Client Error: Unauthorized .*\nUnauthorized! .*\n$/,
      'no key': /\n401 Client Error: Unauthorized .*\nUnauthorized! .*\n$/,
      'the rate limit': /Error: HTTP error during upload: 429 Client Error: Too Many Requests .*\n$/,
      'an empty text': /^Error: (?:File build\.log is empty|No input provided)\.\n$/,
      'a binary text': /\nUnicode\w+Error: .*\n$/,
    },
  },
  {
    ...pip('haste-client'),
    pastes: { 'from a file': `${haste} build.log`, 'from its input': haste },
    sends: (text, way) => linesOfFile(text, way).trim(),
    refused: {
      'a wrong key': /\nKeyError: 'key'\n$/,
      'no key': /\nKeyError: 'key'\n$/,
      'the rate limit': /\nKeyError: 'key'\n$/,
      'an empty text': /\nKeyError: 'key'\n$/,
      'a binary text': /^Error: file 'build\.log' is not readable!\n$|\nUnicodeEncodeError: .*\n$/,
    },
  },
  {
    ...npm('hastebin', hastebinScript),
    pastes: { 'from a text': 'node script.mjs $URL' },
    isGuest: true,
    refused: {
      'no key': /^Response code 401 \(Unauthorized\)\n$/,
      'the rate limit': /^Response code 429 \(Too Many Requests\)\n$/,
      'an empty text': /^You cannot send nothing\.\n$/,
      'a binary text': /^You cannot send that\..*\n$/,
    },
  },
  {
    ...pip('nptr-cli'),
    pastes: { 'from a file': `${nptr} build.log`, 'from its input, as a secret': `${nptr} -s` },
    isGuest: true,
    refused: {
      'no key': /^b'.*needs the API key.*HTTPError: 401 Client Error.*\n$/s,
      'the rate limit': /^b'.*Try again in \d+ s\..*HTTPError: 429 Client Error.*\n$/s,
      'an empty text': /^usage: 0x0 /,
      'a binary text': /^b'.*not UTF-8.*HTTPError: 400 Client Error.*\n$/s,
    },
  },
  {
    ...debian('curl'),
    pastes: {
      'for 0x0 and rustypaste': `${curl} -F file=@- $URL`,
      'for sprunge': `${curl} -F 'sprunge=<-' $URL`,
      'for ix': `${curl} -F 'f:1=<-' $URL`,
    },
    refusedCode: 0,
    refused: {
      'a wrong key': /"This API key is not valid\."/,
      'no key': /"error":".* API key /,
      'the rate limit': /Try again in \d+ s\."/,
      'an empty text': /"The upload is empty\."/,
      'a binary text': /not UTF-8/,
    },
    others: {
      'shortens as for 0x0': [headersOf(`${curl} -F shorten=https://example.org/ $URL`), leadsToExample],
    },
  },
  {
    ...pip('pyourls3', pyourlsScript),
    links: { 'with a signature': 'python script.py $URL "$KEY" shorten $TARGET' },
    refused: {
      'a wrong key': /^Pyourls3APIError .* forbidden \(403\)\n$/,
      'no key': /^Pyourls3APIError .* forbidden \(403\)\n$/,
      'the rate limit': /^Pyourls3APIError .*Try again in \d+ s\. \(error:rate-limited\)\n$/,
    },
    others: {
      expands: ['python script.py $URL $KEY expand $MADE', isExpanded],
      'shows its counts': ['python script.py $URL $KEY url_stats $MADE', /^\{.*'clicks': 1\}\n$/],
    },
  },
  {
    ...pip('yourls'),
    links: { 'with a signature': `${yourls} shorten $TARGET` },
    refused: {
      'a wrong key': /^Error: This API key is not valid\.\n$/,
      'no key': /^Error: \S.*\n$/,
      'the rate limit': /^Error: 429 Client Error: Too Many Requests for url: .*\n$/,
    },
    others: {
      expands: [`${yourls} expand $MADE`, isExpanded],
      'shows its counts': [`${yourls} url-stats $MADE`, /^http:.*clicks: 1\n$/s],
      'shows all counts': [`${yourls} db-stats`, /^\d+ total clicks, \d+ total links\n$/],
    },
  },
  {
    ...npm('@shlinkio/shlink-js-sdk', shlinkScript),
    links: { 'with node:http': script('node'), 'with fetch': script('fetch') },
    refused: {
      'a wrong key': /\/error\/invalid-api-key This API key is not valid\.\n$/,
      'no key': /\/error\/missing-authentication .* API key is missing\.\n$/,
      'the rate limit': /\/error\/rate-limited .*Try again in \d+ s\.\n$/,
    },
    others: {
      lists: [script('list', '$MADE'), /^A title\n$/],
      edits: [script('edit', '$MADE'), /^Changed\n$/],
      shows: [script('get', '$MADE'), /^Changed\n$/],
      deletes: [script('delete', '$MADE'), /^undefined\n$/],
      'is told what is gone': [script('gone', '$MADE'), /\/short-url-not-found\n$/],
      'learns the health': [script('health'), /^pass\n$/],
      'lists tags': [script('tags'), /^0 tags\n$/],
    },
  },
  {
    ...npm('kutt', kuttScript),
    links: { 'with node:http': script('create') },
    refused: {
      'a wrong key': /^This API key is not valid\.\n$/,
      'no key': /^The header "key" with an API key is missing\.\n$/,
      'the rate limit': /Try again in \d+ s\.\n$/,
    },
  },
]

type Place = { url: string; key: string }
const oncePerHour = ['--rate', '1/1h']
const addKey = async (data: string, name: string, ...options: string[]) =>
  (await run(['keys', 'add', name, ...options, '--data', data])).stdout.trim()

const startForGuests = async (...limits: string[]) => {
  const data = temporaryFolder()
  await addKey(data, 'guests', '--create', ...limits)
  return start({ data, args: [...quiet, '--guest-key', 'guests', '--guest-from', '127.0.0.0/8'], env: {} })
}

const servers: RunningServer[] = []
beforeAll(async () => {
  servers.push(await start({ args: [...quiet, '--protocols', 'all,yourls-get'], env: {} }))
  servers.push(await startForGuests(), await startForGuests(...oncePerHour))
})
afterAll(() => Promise.all(servers.map((server) => server.stop())))

/** Where a program can create, and where it cannot. The rate limit is that of a key, and is reached. */
const placesFor = async ({ name, isGuest }: Program) => {
  const [{ url, data }, guests, limitedGuests] = servers as [RunningServer, RunningServer, RunningServer]
  const keyName = name.replaceAll(/\W+/g, '')
  const places: Record<'right', Place> & Partial<Record<Obstacle, Place>> = {
    right: isGuest ? { url: guests.url, key: '' } : { url, key: await addKey(data, keyName) },
    'a wrong key': { url, key: 'sc_wrong' },
    'no key': { url, key: '' },
    'the rate limit': isGuest
      ? { url: limitedGuests.url, key: '' }
      : { url, key: await addKey(data, `${keyName}-limited`, ...oncePerHour) },
  }
  const { url: limited, key = '' } = places['the rate limit'] as Place
  await fetch(limited, { method: 'POST', headers: { key }, body: 'the only one' })
  return places
}

/** Runs a line in the folder. */
const saidBy = (folder: string, line: string, content: string | Uint8Array, env: Record<string, string>) => {
  writeFileSync(join(folder, 'build.log'), content)
  const paths = { HOME: folder, PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
  const child = Bun.spawn(['bash', '-c', line], {
    cwd: folder,
    env: cleanEnv({ ...paths, LANG: 'C.UTF-8', ...env }),
    stdin: Buffer.from(content),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  return endOf(child)
}

/** The first address of a server, without the key that a program may print with it. */
const addressIn = (said: string) => {
  const found = /http:\/\/(?:x:\w+@)?(127\.0\.0\.1:\d+\/\S+)/.exec(said)?.[1]
  if (!found) throw new Error(`no address in: ${said}`)
  return `http://${found}`
}

const targetOf = async (address: string) =>
  (await fetch(address, { redirect: 'manual' })).headers.get('Location')
const textOf = async (address: string) => {
  const { origin, pathname } = new URL(address)
  const bytes = await (await fetch(`${origin}/p/raw/${pathname.split('/').at(-1)}`)).bytes()
  return Buffer.from(bytes).toString()
}

const obstaclesOf = ({ pastes, isGuest }: Program) =>
  obstacles.filter((one) => (pastes || !(one in refusedTexts)) && !(isGuest && one === 'a wrong key'))

const isPossible = ({ needs }: Program) =>
  Object.entries(needs).every(([program, debianPackage]) => requireProgram(program, debianPackage))

describe.each(programs.filter(isPossible))('$name', (program) => {
  const { install, pastes, links = {}, sends, refused, refusedCode = 1, others = {} } = program
  const folder = temporaryFolder()
  let places: Awaited<ReturnType<typeof placesFor>>
  let made = ''
  beforeAll(async () => {
    places = await placesFor(program)
    await install?.(folder)
  }, 20 * minutes)

  const says = (line: string, content: string | Uint8Array, { url, key }: Place = places.right) => {
    const place = { URL: url, HOST: new URL(url).host, KEY: key, MADE: made }
    return saidBy(folder, line, content, { ...place, ...(!pastes && { TARGET: `${content}` }) })
  }
  const contents = Object.entries(pastes ? texts : targets)
  const [[, sample] = ['', '']] = contents
  const ways = Object.entries(pastes ?? links).map(([way, line]) => ({ way, line }))
  const creations = ways.flatMap((one) => contents.map(([what, content]) => ({ ...one, what, content })))
  const refusals = ways.flatMap((one) => obstaclesOf(program).map((obstacle) => ({ ...one, obstacle })))

  test.each(creations)('creates $what $way', async ({ way, line, content }) => {
    const { code, stdout, stderr } = await says(line, content)
    expect([code, stderr]).toEqual([0, ''])
    made = addressIn(stdout)
    expect(await (pastes ? textOf : targetOf)(made)).toBe(sends?.(content, way) ?? content)
  })

  test.each(Object.entries(others))('%s', async (_, [line, expected]) => {
    const { code, stdout, stderr } = await says(line, sample)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(expected)
  })

  test.each(refusals)('is refused for $obstacle $way', async ({ line, obstacle }) => {
    const { code, stdout, stderr } = await says(line, refusedTexts[obstacle] ?? sample, places[obstacle])
    expect(code).toBe(refusedCode)
    expect(stdout + stderr).toMatch(refused[obstacle] as RegExp)
  })
})
