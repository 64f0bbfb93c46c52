import { Database } from 'bun:sqlite'
import { beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { collections } from '../../src/services/items.ts'
import { inspectFolder } from '../../src/store/folder/inspect.ts'
import { createClient } from '../support/client.ts'
import { run, start, temporaryFolder, testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'
import { nothingWrong, problemsIn } from '../support/verified.ts'

const flipOneBit = (text: string) => {
  const bytes = Buffer.from(text)
  const at = text.indexOf('An example')
  bytes[at] = (bytes[at] as number) ^ 1
  return bytes
}

describe('verify, beside a running server', () => {
  const { server, client } = withServer({ args: ['--rate-limit', 'off'] })

  // The first change makes the files of the words; copies below are of a folder in which no file comes or goes.
  beforeAll(async () => {
    await client.paste()
    expect((await client.get('/pastes?q=text', { key: testKey })).status).toBe(200)
  })

  const verify = () => run(['verify', '--data', server.data])
  const fileOf = (address = '') => {
    const id = address.split('/').at(-1) as string
    return `${address.includes('/s/') ? 'links' : 'pastes'}/${id.slice(0, 2)}/${id}.json`
  }

  test('finds nothing wrong with a folder that only the server wrote', async () => {
    await client.paste()
    await client.link()
    await fetch((await client.paste()).deletionUrl ?? '', { method: 'DELETE' })
    const { code, stdout, stderr } = await verify()
    expect(stdout).toMatch(/^\d+ files of \/\S+ verified: 0 damaged, 0 foreign\n$/)
    expect(stderr).toBe('the index is in use by a server, and was not compared\n')
    expect(code).toBe(0)
  })

  test('reports a document that is the copy of another one', async () => {
    const [first, second] = [await client.paste(), await client.paste()]
    const idOf = async ({ pasteUrl = '' }: Record<string, string>) =>
      ((await (await client.get(pasteUrl, { Accept: 'application/json' })).json()) as { id: string }).id
    const pathOf = (id: string) => join(server.data, 'pastes', id.slice(0, 2), `${id}.json`)
    const [one, two] = [await idOf(first), await idOf(second)]
    const whole = readFileSync(pathOf(two))
    writeFileSync(pathOf(two), readFileSync(pathOf(one)))
    const { code, stdout } = await verify()
    expect([code, problemsIn(stdout)]).toEqual([
      1,
      `damaged  pastes/${two.slice(0, 2)}/${two}.json: holds another id\n`,
    ])
    writeFileSync(pathOf(two), whole)
    expect((await verify()).code).toBe(0)
  })

  const damages: readonly (readonly [string, (text: string) => string | Buffer])[] = [
    ['truncated', (text) => text.slice(0, 40)],
    ['emptied', () => ''],
    ['replaced by null', () => 'null'],
    ['of another schema', () => '{"crc32":"a3830348","document":{}}'],
    ['with one bit flipped', flipOneBit],
    ['with a byte behind its end', (text) => `${text} `],
  ]

  test.each(damages)('names a document that is %s', async (_, damage) => {
    const { pasteUrl = '' } = await client.paste()
    const file = join(server.data, fileOf(pasteUrl))
    const whole = readFileSync(file, 'utf8')
    writeFileSync(file, damage(whole))
    const { code, stdout } = await verify()
    expect(code).toBe(1)
    expect(problemsIn(stdout)).toMatch(new RegExp(`^damaged +${fileOf(pasteUrl)}: .+\n$`))
    writeFileSync(file, whole)
  })

  test('names a damaged alias, which alone is answered with 500', async () => {
    const { shortendUrl: healthy = '' } = await client.link()
    await client.post('/shortener', { url: 'https://example.org/', alias: 'a' })
    // 'ca' begins the SHA-256 of 'a'.
    const file = join(server.data, 'aliases/links/ca/a.json')
    const whole = readFileSync(file, 'utf8')
    writeFileSync(file, whole.replace('"id":"', '"id":"x'))
    const { code, stdout } = await verify()
    expect(code).toBe(1)
    expect(problemsIn(stdout)).toBe('damaged  aliases/links/ca/a.json: does not match its checksum\n')
    const copy = await start({ data: await copyOf(server.data) })
    expect((await fetch(`${copy.url}/s/a`, { redirect: 'manual' })).status).toBe(500)
    const again = await createClient(copy.url).post('/shortener', { url: 'https://example.org/', alias: 'a' })
    expect(again.status).toBe(500)
    const other = copy.url + new URL(healthy).pathname
    expect((await fetch(other, { redirect: 'manual' })).status).toBe(302)
    await copy.stop()
    writeFileSync(file, whole)
  })

  test('names every foreign file and folder', async () => {
    const foreign = [
      ...['notes.txt', 'pastes/notes.txt', 'pastes/00', 'links/ab/notes.json', 'more'],
      // A folder that is none, an alias in the wrong folder, and two names that no alias has.
      ...['aliases/more', 'aliases/links/ab/a.json', 'aliases/links/ca/A.json', 'aliases/links/ca/a.gone'],
    ]
    for (const folder of ['more', 'links/ab', 'aliases/links/ab', 'aliases/links/ca'])
      mkdirSync(join(server.data, folder), { recursive: true })
    for (const path of foreign.filter((name) => name !== 'more')) writeFileSync(join(server.data, path), '{}')
    const { code, stdout } = await verify()
    expect(code).toBe(1)
    const named = problemsIn(stdout)
      .trim()
      .split('\n')
      .map((line) => /^foreign +(\S+):/.exec(line)?.[1] ?? line)
    expect(named.sort()).toEqual([...foreign].sort())
  })

  test('says so and exits 1 when there is no such folder', async () => {
    const { code, stderr } = await run(['verify', '--data', join(server.data, 'nowhere')])
    expect(code).toBe(1)
    expect(stderr).toMatch(/there is no folder/)
  })

  test('says so and exits 1 when the folder is empty, as of a mistyped volume', async () => {
    const { code, stderr } = await run(['verify', '--data', temporaryFolder()])
    expect(code).toBe(1)
    expect(stderr).toMatch(/ is empty: no server has used it; name the data folder with --data\.\n$/)
  })
})

describe('a file of which there is one', () => {
  let data: string
  beforeAll(async () => {
    const server = await start({ args: ['--log', 'off'], env: {} })
    data = server.data
    await server.stop()
  })
  const flips = (bytes: Buffer) =>
    Array.from(bytes, (byte, at) => {
      const flipped = Buffer.from(bytes)
      flipped[at] = byte ^ (1 << (at % 8))
      return flipped
    })

  test.each([
    ['shortcrust.json', 'or type: echo \'{"product":"shortcrust","format":1}\' > '],
    ['keys.json', 'or remove it and make new keys: shortcrust keys add NAME'],
  ])('%s, damaged, is named by verify, and a start says what to do', async (name, remedy) => {
    const file = join(data, name)
    const whole = readFileSync(file)
    for (const damage of [flips(whole)[3] as Buffer, whole.subarray(0, -3), Buffer.from('')]) {
      writeFileSync(file, damage)
      const { code, stdout } = await run(['verify', '--data', data])
      expect([code, stdout]).toEqual([1, expect.stringMatching(new RegExp(`^damaged +${name}: `))])
      const refused = await run(['--port', '0', '--data', data])
      expect(refused.code).toBe(1)
      expect(refused.stderr).toStartWith(`shortcrust: ${file}`)
      expect(refused.stderr).toContain(remedy)
      expect(refused.stderr.trim().split('\n')).toHaveLength(1)
    }
    writeFileSync(file, whole)
    expect((await run(['verify', '--data', data])).code).toBe(0)
  })

  test('a folder of another format is named by verify', async () => {
    const file = join(data, 'shortcrust.json')
    const whole = readFileSync(file)
    writeFileSync(file, '{"product":"shortcrust","format":2}')
    const { code, stdout } = await run(['verify', '--data', data])
    writeFileSync(file, whole)
    expect(code).toBe(1)
    expect(stdout).toContain('damaged  shortcrust.json: has format 2, and this version reads 1\n')
  })

  test.each(['shortcrust.json', 'keys.json'])('%s with any one bit flipped is damaged', async (name) => {
    const folder = temporaryFolder()
    for (const flipped of flips(readFileSync(join(data, name)))) {
      writeFileSync(join(folder, name), flipped)
      const found = await Array.fromAsync(inspectFolder(folder, collections))
      expect([String(flipped), found]).toEqual([
        String(flipped),
        [expect.objectContaining({ path: name, problem: expect.any(String) })],
      ])
    }
  })

  test('shortcrust.json, written as a start advises, opens the folder', async () => {
    const file = join(data, 'shortcrust.json')
    writeFileSync(file, '')
    const { stderr } = await run(['--port', '0', '--data', data])
    const [, command = ''] = /, or type: (echo .*)$/m.exec(stderr) ?? []
    expect(Bun.spawnSync(['sh', '-c', command]).exitCode).toBe(0)
    const server = await start({ data, args: ['--log', 'off'] })
    expect(await server.stop()).toBe(0)
  })
})

describe('verify, when no server runs', () => {
  const filled = async () => {
    const server = await start({ args: ['--rate-limit', 'off', '--log', 'off'] })
    const client = createClient(server.url)
    await client.paste()
    const { shortendUrl = '' } = await client.link()
    const id = shortendUrl.slice(-7)
    return { server, path: `links/${id.slice(0, 2)}/${id}.json` }
  }
  const changeIndex = (data: string, sql: string) => {
    const database = new Database(join(data, 'index.sqlite'))
    database.exec(sql)
    database.close()
  }

  test.each(['stop', 'kill'] as const)(
    'compares the index with the documents after a %s, and leaves no trace',
    async (end) => {
      const { server, path } = await filled()
      await server[end]()
      const names = readdirSync(server.data)
      expect(await run(['verify', '--data', server.data])).toMatchObject({ code: 0, stdout: nothingWrong })
      expect(readdirSync(server.data)).toEqual(names)
      changeIndex(server.data, "DELETE FROM items WHERE kind = 'links'")
      const { code, stdout } = await run(['verify', '--data', server.data])
      const remedy = 'remove it while no server runs: the next one builds it'
      expect({ code, named: problemsIn(stdout) }).toEqual({
        code: 1,
        named: `damaged  index.sqlite: does not know ${path}; ${remedy}\n`,
      })
      rmSync(join(server.data, 'index.sqlite'))
      expect((await run(['verify', '--data', server.data])).code).toBe(0)
    },
  )

  test('says how many rows have no document, which a crash may leave', async () => {
    const { server, path } = await filled()
    await server.stop()
    rmSync(join(server.data, path))
    const { code, stdout } = await run(['verify', '--data', server.data])
    expect(code).toBe(0)
    expect(stdout).toContain('the index has 1 row without a document, which a crash may leave\n')
  })

  test('passes over the empty files that a power cut leaves of an index that was just being made', async () => {
    const { server } = await filled()
    await server.kill()
    for (const file of ['index.sqlite-journal', 'index.sqlite']) writeFileSync(join(server.data, file), '')
    expect((await run(['verify', '--data', server.data])).code).toBe(0)
  })

  test('names an index that is no database, and passes over one of another machine', async () => {
    const { server } = await filled()
    await server.stop()
    changeIndex(server.data, "DELETE FROM items; UPDATE state SET file = 'of another folder'")
    expect((await run(['verify', '--data', server.data])).code).toBe(0)
    writeFileSync(join(server.data, 'index.sqlite'), 'x'.repeat(5000))
    const { code, stdout } = await run(['verify', '--data', server.data])
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^damaged +index\.sqlite: file is not a database; /),
    ])
  })
})

describe('verify, of an item with a name', () => {
  const named = async () => {
    const server = await start({ args: ['--rate-limit', 'off', '--log', 'off'] })
    const client = createClient(server.url)
    for (const alias of ['a', 'b']) await client.link('http://nas/', { alias })
    await server.stop()
    const folder = join(server.data, 'aliases/links')
    const files = (readdirSync(folder, { recursive: true }) as string[]).filter((file) =>
      /[ab]\.json$/.test(file),
    )
    return {
      data: server.data,
      paths: files.sort((one, other) => one.slice(3).localeCompare(other.slice(3))),
      folder,
    }
  }

  test('says which file is missing, and what to do', async () => {
    const { data, paths, folder } = await named()
    expect((await run(['verify', '--data', data])).code).toBe(0)
    rmSync(join(folder, paths[0] ?? ''))
    const { code, stdout } = await run(['verify', '--data', data])
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^damaged {2}links\/..\/\w+\.json: its name does not lead to it, because aliases\/links\/..\/a\.json is missing; put that file back, or delete the item by its id\n/,
    )
  })

  test('names one whose name leads to another item, but no document that is being erased', async () => {
    const { data, paths, folder } = await named()
    const [one = '', other = ''] = paths.map((path) => readFileSync(join(folder, path), 'utf8'))
    const idIn = (text: string) => /"id":"(\w+)"/.exec(text)?.[1] ?? ''
    const document = JSON.parse(one).document
    const moved = JSON.stringify({ ...document, id: idIn(other) })
    const sum = Bun.hash.crc32(moved).toString(16).padStart(8, '0')
    writeFileSync(join(folder, paths[0] ?? ''), `{"crc32":"${sum}","document":${moved}}`)
    const { code, stdout } = await run(['verify', '--data', data])
    expect([code, stdout]).toEqual([1, expect.stringContaining('/a.json leads to another item; ')])
    const id = idIn(one)
    writeFileSync(join(data, 'links', id.slice(0, 2), `${id}.gone`), '')
    expect((await run(['verify', '--data', data])).code).toBe(0)
  })
})

/** A plain copy of a live folder, as a user would make it. */
const copyOf = async (folder: string) => {
  const target = join(folder, '..', `copy-${crypto.randomUUID()}`)
  const { exitCode, stderr } = Bun.spawnSync(['cp', '-r', folder, target])
  expect(exitCode, String(stderr)).toBe(0)
  return target
}
