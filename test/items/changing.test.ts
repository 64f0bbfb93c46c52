import { describe, expect, test } from 'bun:test'
import { renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, examplePaste } from '../support/client.ts'
import { idOf } from '../support/counts.ts'
import { expectError } from '../support/expectations.ts'
import { isFolder, run, temporaryFolder } from '../support/process.ts'
import { quiet, withServer } from '../support/server.ts'
import { nothingWrong } from '../support/verified.ts'

const { server, client, restart } = withServer({
  args: [...quiet, '--max-paste', '4KiB', '--keep-versions', '3'],
})

type Answer = {
  paste?: Record<string, unknown>
  link?: Record<string, unknown>
  versions?: { version: number }[]
}

const send = (
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
  one = client,
) =>
  one.get(
    path,
    { key: one.key, ...(body && { 'Content-Type': 'application/json' }), ...headers },
    {
      method,
      ...(body && { body: JSON.stringify(body) }),
    },
  )

const change = (path: string, body: object, headers?: Record<string, string>) =>
  send('PATCH', path, body, headers)

const read = async (path: string) => (await (await send('GET', path)).json()) as Answer

const newPaste = async (fields = {}) => {
  const { pasteUrl = '' } = await client.paste({ text: 'first\n', ...fields })
  return `/pastes/${idOf(pasteUrl)}`
}

const newLink = async (fields = {}) => {
  const { shortendUrl = '' } = await client.link('https://example.org/first', fields)
  return `/links/${idOf(shortendUrl)}`
}

const textAt = async (path: string) => (await client.get(path.replace('/pastes/', '/p/raw/'))).text()

describe('a change of a paste', () => {
  test('is what every reader gets from then on, at the addresses it always had', async () => {
    const path = await newPaste({ alias: 'notes' })
    for (const address of ['/p/notes', '/p/raw/notes', '/documents/notes'])
      await (await client.get(address)).text()
    const answer = await change(path, { text: 'second\n', title: 'Two', language: 'js' })
    expect(answer.status).toBe(200)
    const { paste } = (await answer.json()) as Answer
    expect(paste).toMatchObject({
      text: 'second\n',
      title: 'Two',
      language: 'javascript',
      version: 2,
      alias: 'notes',
    })
    expect(paste).toMatchObject({
      description: examplePaste.description,
      changedAt: expect.stringMatching(/^20.*Z$/),
    })
    expect(await textAt(path)).toBe('second\n')
    expect(await (await client.get('/p/raw/notes')).text()).toBe('second\n')
    expect(await (await client.get('/p/notes', { Accept: 'text/html' })).text()).toContain('second')
    expect(await (await client.get('/documents/notes')).json()).toMatchObject({ data: 'second\n' })
  })

  test('is there after a restart', async () => {
    const path = await newPaste()
    await change(path, { text: 'kept\n' })
    await change(path, { title: 'Kept' })
    await restart()
    const { paste } = await read(path)
    expect(paste).toMatchObject({ text: 'kept\n', title: 'Kept', version: 3 })
  })

  test('that says what is there already makes no version, and writes nothing', async () => {
    const path = await newPaste()
    const id = path.slice('/pastes/'.length)
    const document = join(server.data, 'pastes', id.slice(0, 2), `${id}.json`)
    const before = isFolder && statSync(document).ino
    await change(path, { text: 'first\n', language: 'ts' })
    expect((await read(path)).paste).toMatchObject({ version: 1 })
    expect(isFolder && statSync(document).ino).toBe(before)
  })

  test('of the expiry alone makes no version; null takes the expiry away', async () => {
    const path = await newPaste({ expiresIn: 600 })
    expect((await read(path)).paste?.expiresAt).toBeDefined()
    expect((await (await change(path, { expiresIn: null })).json()) as Answer).toMatchObject({
      paste: { version: 1 },
    })
    expect((await read(path)).paste?.expiresAt).toBeUndefined()
    await change(path, { expiresIn: '1h' })
    expect((await read(path)).paste?.expiresAt).toBeDefined()
    expect((await read(`${path}/versions`)).versions).toHaveLength(1)
  })

  test('counts as no read', async () => {
    const path = await newPaste()
    await change(path, { title: 'Two' })
    expect((await read(path)).paste).toMatchObject({ reads: 0 })
  })
})

describe('a change of a short link', () => {
  test('leads there at once, also where the former target was in memory', async () => {
    const path = await newLink({ alias: 'guide' })
    const follow = async () => (await client.get('/s/guide')).headers.get('location')
    expect(await follow()).toBe('https://example.org/first')
    const answer = await change(path, { url: 'https://example.org/second' })
    expect(((await answer.json()) as Answer).link).toMatchObject({
      url: 'https://example.org/second',
      version: 2,
    })
    expect(await follow()).toBe('https://example.org/second')
    expect((await read(`${path}/versions/1`)).link).toMatchObject({ url: 'https://example.org/first' })
  })

  test('to one of our own links is refused', async () => {
    const path = await newLink()
    await expectError(await change(path, { url: `${server.url}/s/guide` }), 400, /loop/)
  })
})

describe('a change is refused', () => {
  test('with 422 if nothing known is in it, or a value is not valid', async () => {
    const path = await newPaste()
    await expectError(
      await change(path, {}),
      422,
      /Nothing to change: send at least one of the fields text, title/,
    )
    await expectError(await change(path, { alias: 'other' }), 422, /Nothing to change/)
    await expectError(await change(path, { text: '' }), 422, /"text" must not be empty/)
    await expectError(await change(path, { title: 3 }), 422, /"title" must be a string/)
    await expectError(await change(path, { language: 'klingon' }), 422, /not a known language/)
    await expectError(await change(path, { expiresIn: 'soon' }), 422, /must be a lifetime/)
    await expectError(await change(path, { text: 'x'.repeat(4097) }), 413, /larger than 4096 bytes/)
    expect((await read(path)).paste).toMatchObject({ version: 1, text: 'first\n' })
  })

  test('with 404 for another key, with the words for what never was', async () => {
    const path = await newPaste()
    const { stdout } = await run(['keys', 'add', 'somebody', '--data', server.data])
    const other = createClient(server.url, stdout.trim())
    const answers = [path, '/pastes/7y84tyt5ec'].map((one) => send('PATCH', one, { title: 'x' }, {}, other))
    for (const answer of await Promise.all(answers))
      await expectError(answer, 404, /^There is no paste at this address\.$/)
    await expectError(await send('GET', `${path}/versions`, undefined, {}, other), 404, /no paste/)
    await expectError(await send('GET', `${path}/versions/1`, undefined, {}, other), 404, /no paste/)
    await expectError(await send('DELETE', `${path}/versions`, undefined, {}, other), 404, /no paste/)
  })

  test('with 409 for what burns after reading', async () => {
    await expectError(await change(await newPaste({ maxReads: 2 }), { title: 'x' }), 409, /cannot be changed/)
    await expectError(
      await change(await newLink({ maxVisits: 2 }), { expiresIn: 60 }),
      409,
      /cannot be changed/,
    )
  })

  test('with 412 if the item is newer than If-Match, and changes nothing', async () => {
    const path = await newPaste()
    const tag = (await send('GET', path)).headers.get('etag') ?? ''
    const answer = await change(path, { text: 'second\n' }, { 'If-Match': tag })
    expect(answer.status).toBe(200)
    await expectError(
      await change(path, { text: 'third\n' }, { 'If-Match': tag }),
      412,
      /it is version 2 now/,
    )
    expect(await textAt(path)).toBe('second\n')
    const newest = answer.headers.get('etag') ?? ''
    expect((await change(path, { text: 'third\n' }, { 'If-Match': `"x", W/${newest}` })).status).toBe(200)
    expect((await change(path, { text: 'fourth\n' }, { 'If-Match': '*' })).status).toBe(200)
  })

  test('after a deletion, with 410', async () => {
    const path = await newPaste()
    await send('DELETE', path)
    await expectError(await change(path, { title: 'x' }), 410, /was deleted/)
  })
})

describe('of many changes at once with If-Match', () => {
  /** A text that shows where it is torn. */
  const textOf = (round: number, at: number) => `${round}/${at} `.repeat(500)
  const isWhole = (text: string) => new Set(text.trim().split(' ')).size === 1

  test('exactly one of 100 wins each round, and no reader sees a torn text', async () => {
    const path = await newPaste({ text: textOf(0, 0) })
    for (let round = 1; round <= 5; round++) {
      const tag = (await send('GET', path)).headers.get('etag') ?? ''
      const changing = Array.from({ length: 100 }, (_, at) =>
        change(path, { text: textOf(round, at) }, { 'If-Match': tag }),
      )
      const readings = await Promise.all(Array.from({ length: 50 }, () => textAt(path)))
      expect(readings.filter((text) => !isWhole(text))).toEqual([])
      const statuses = (await Promise.all(changing)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect(statuses.filter((status) => status === 412)).toHaveLength(99)
      expect(await textAt(path)).toBe(textOf(round, statuses.indexOf(200)))
    }
  })

  test('without it, all are taken, one after the other', async () => {
    const path = await newPaste()
    const all = await Promise.all(Array.from({ length: 20 }, (_, at) => change(path, { text: `${at}\n` })))
    expect(all.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect((await read(path)).paste).toMatchObject({ version: 21 })
  })
})

describe('earlier versions', () => {
  test('are the last three, and no more bytes than four of the largest paste', async () => {
    const path = await newPaste()
    for (let at = 2; at <= 6; at++) await change(path, { text: `${at}\n` })
    const numbers = async () => (await read(`${path}/versions`)).versions?.map(({ version }) => version)
    expect(await numbers()).toEqual([6, 5, 4, 3])
    expect((await read(`${path}/versions/3`)).paste).toMatchObject({ text: '3\n', version: 3 })
    expect((await read(`${path}/versions/6`)).paste).toMatchObject({ text: '6\n' })
    await expectError(await send('GET', `${path}/versions/2`), 410, /Version 2 of this paste is not kept/)
    await expectError(await send('GET', `${path}/versions/0`), 422, /must be a number/)
  })

  test('are not shown to readers', async () => {
    const path = await newPaste({ text: 'a password\n' })
    await change(path, { text: 'none\n' })
    for (const address of [`${path}/versions`, `${path}/versions/1`])
      await expectError(await client.get(address), 401, /key/)
    const json = await client.get(path.replace('/pastes/', '/p/'), { Accept: 'application/json' })
    expect(await json.text()).not.toContain('password')
  })

  test('are gone at once when they are deleted, and leave nothing in the folder', async () => {
    const path = await newPaste({ text: 'a secret word: xyzzy-1\n' })
    await change(path, { text: 'none\n' })
    expect(await filesWith('xyzzy-1')).toHaveLength(isFolder ? 1 : 0)
    expect((await send('DELETE', `${path}/versions`)).status).toBe(200)
    expect(await filesWith('xyzzy-1')).toEqual([])
    expect((await read(`${path}/versions`)).versions).toHaveLength(1)
    expect(await textAt(path)).toBe('none\n')
  })

  test('go with the item', async () => {
    const path = await newPaste({ text: 'a secret word: xyzzy-2\n' })
    await change(path, { text: 'none\n' })
    await send('DELETE', path)
    expect(await filesWith('xyzzy-2')).toEqual([])
  })
})

const filesWith = async (word: string) => {
  const found: string[] = []
  if (!isFolder) return found
  for (const path of new Bun.Glob('**/*').scanSync({ cwd: server.data, absolute: true }))
    if ((await Bun.file(path).text()).includes(word)) found.push(path)
  return found
}

describe('a creation with replace', () => {
  test('changes what the name leads to, without a deletion link; the first one creates', async () => {
    const body = { ...examplePaste, text: 'build 1\n', alias: 'build-log', replace: true }
    const first = await client.post('/paste', body)
    expect([first.status, first.headers.has('location')]).toEqual([201, true])
    const second = await client.post('/paste', { ...body, text: 'build 2\n' })
    expect([second.status, second.headers.has('location')]).toEqual([200, false])
    const answer = (await second.json()) as Record<string, unknown>
    expect(answer).toMatchObject({ message: 'Paste changed', pasteUrl: `${server.url}/p/build-log` })
    expect(answer).not.toHaveProperty('deletionUrl')
    expect(await (await client.get('/p/raw/build-log')).text()).toBe('build 2\n')
    expect(((await read('/pastes/build-log')).paste as { version: number }).version).toBe(2)
  })

  test('is what an upload does with ?replace=1', async () => {
    const upload = (text: string) =>
      fetch(`${server.url}/run.log?alias=run&replace=1`, {
        method: 'PUT',
        body: text,
        headers: { key: client.key },
      })
    const answers = [await upload('one\n'), await upload('two\n')]
    expect(answers.map(({ status }) => status)).toEqual([201, 200])
    expect(answers.map(({ headers }) => headers.has('deletion-url'))).toEqual([true, false])
    expect(await answers[1]?.text()).toBe(`${server.url}/p/run\n`)
    expect(await (await client.get('/p/raw/run')).text()).toBe('two\n')
  })

  test('is what a short link does too', async () => {
    const body = { url: 'https://example.org/1', alias: 'latest', replace: true }
    expect((await client.post('/shortener', body)).status).toBe(201)
    expect((await client.post('/shortener', { ...body, url: 'https://example.org/2' })).status).toBe(200)
    expect((await client.get('/s/latest')).headers.get('location')).toBe('https://example.org/2')
  })

  test('keeps the expiry unless it says another', async () => {
    const body = { ...examplePaste, alias: 'kept-expiry', replace: true }
    await client.post('/paste', { ...body, expiresIn: 600 })
    const expiry = async () => (await read('/pastes/kept-expiry')).paste?.expiresAt
    const before = await expiry()
    await client.post('/paste', { ...body, text: 'two\n' })
    expect(await expiry()).toBe(before)
    await client.post('/paste', { ...body, text: 'three\n', expiresIn: 6000 })
    expect(await expiry()).not.toBe(before)
  })

  test('creates where the former item of the name is deleted', async () => {
    const body = { ...examplePaste, alias: 'again', replace: true }
    await client.post('/paste', body)
    await send('DELETE', '/pastes/again')
    expect((await client.post('/paste', body)).status).toBe(201)
  })

  test('is refused for the name of another key, without a name, and for what burns after reading', async () => {
    const { stdout } = await run(['keys', 'add', 'stranger', '--data', server.data])
    await createClient(server.url, stdout.trim()).paste({ alias: 'theirs' })
    const body = { ...examplePaste, replace: true }
    await expectError(await client.post('/paste', { ...body, alias: 'theirs' }), 409, /is taken/)
    await expectError(await client.post('/paste', body), 422, /"replace" needs "alias"/)
    await expectError(await client.post('/paste', { ...body, alias: 'a', maxReads: 1 }), 422, /"maxReads"/)
    await client.paste({ alias: 'burning', maxReads: 2 })
    await expectError(await client.post('/paste', { ...body, alias: 'burning' }), 409, /cannot be changed/)
    await expectError(
      await client.post('/paste', { ...body, alias: 'a', replace: 'yes' }),
      422,
      /must be a boolean/,
    )
  })

  test('of many at once with a new name, one creates and the others change it', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        client.post('/paste', { ...examplePaste, text: `${at}\n`, alias: 'race', replace: true }),
      ),
    )
    expect(all.map(({ status }) => status).toSorted()).toEqual([...Array(19).fill(200), 201])
    expect((await read('/pastes/race')).paste).toMatchObject({ version: 20 })
  })
})

describe.if(isFolder)('a folder with changed items', () => {
  test('is verified whole, also beside its index, and saved with all versions', async () => {
    const path = await newPaste({ text: 'saved 1\n' })
    await change(path, { text: 'saved 2\n' })
    const { data } = await restart()
    const archive = join(temporaryFolder(), 'backup.tgz')
    const restored = join(temporaryFolder(), 'restored')
    expect(await run(['verify', '--data', data])).toMatchObject({ code: 0, stdout: nothingWrong })
    expect(await run(['backup', archive, '--data', data])).toMatchObject({ code: 0 })
    expect(await run(['restore', archive, '--data', restored])).toMatchObject({ code: 0 })
    const found = new Bun.Glob(`pastes/*/${path.split('/').at(-1)}*.json`).scanSync(restored)
    expect([...found].map((file) => file.split('.').length).toSorted()).toEqual([2, 3])
  })

  test.each([
    ['of another number', (file: string) => file.replace('.1.json', '.7.json'), /holds another version/],
    [
      'of another item',
      (file: string) => file.replace(/[a-z0-9]+\.1\.json/, (name) => `${name.slice(0, 2)}zzzzzzzz.1.json`),
      /holds another id/,
    ],
  ])('is called damaged with a version %s', async (_, renamed, says) => {
    const path = await newPaste()
    await change(path, { text: 'two\n' })
    const [file = ''] = new Bun.Glob(`pastes/*/${path.split('/').at(-1)}.1.json`).scanSync({
      cwd: server.data,
      absolute: true,
    })
    renameSync(file, renamed(file))
    const { code, stdout } = await run(['verify', '--data', server.data])
    renameSync(renamed(file), file)
    expect(code).toBe(1)
    expect(stdout).toMatch(says)
  })
})
