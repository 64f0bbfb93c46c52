import { Database } from 'bun:sqlite'
import { beforeAll, describe, expect, test } from 'bun:test'
import { createWriteStream, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createGzip } from 'node:zlib'
import { collections } from '../../src/services/items.ts'
import { checkedJson } from '../../src/store/disk.ts'
import { createEntryCheck } from '../../src/store/folder/archive.ts'
import { createClient } from '../support/client.ts'
import { peakResidentBytes } from '../support/memory.ts'
import { isHeldUp, openPipe, spawnInto } from '../support/pipes.ts'
import { run, start, target, temporaryFolder } from '../support/process.ts'

const mebibyte = 1024 ** 2

type Body = Uint8Array | string | Iterable<Uint8Array>
type Entry = { name: string; type?: string; size?: number; body?: Body }

const blocks = (bytes: number) => new Uint8Array(Math.ceil(bytes / 512) * 512)

/** A header as any program may write it: what it says need not be so. */
const headerOf = ({ name, type = '0', size = 0 }: Entry) => {
  const header = Buffer.alloc(512)
  header.write(name, 0, 100)
  header.write('0000600\0', 100)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0        ', 136)
  header.write(type, 156)
  header.write('ustar\0' + '00', 257)
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

const entryOf = function* (entry: Entry): Generator<Uint8Array> {
  const { body = '' } = entry
  const parts = typeof body === 'string' ? [Buffer.from(body)] : body instanceof Uint8Array ? [body] : body
  if (entry.size !== undefined || typeof body === 'string' || body instanceof Uint8Array) {
    const whole = typeof body === 'string' || body instanceof Uint8Array ? Buffer.from(body) : undefined
    yield headerOf({ ...entry, size: entry.size ?? whole?.length ?? 0 })
  }
  let bytes = 0
  for (const part of parts) {
    bytes += part.length
    yield part
  }
  yield new Uint8Array(-bytes & 511)
}

const repeated = function* (text: string, bytes: number): Generator<Uint8Array> {
  const piece = Buffer.from(text.repeat(Math.ceil(mebibyte / text.length)))
  for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, left)
}

const stamp: Entry = { name: 'shortcrust.json', body: '{"product":"shortcrust","format":1}' }

const archiveOf = async (entries: readonly Entry[], end: Iterable<Uint8Array> = [blocks(1024)]) => {
  const file = join(temporaryFolder(), 'hostile.tgz')
  const chunks = function* () {
    for (const entry of entries) yield* entryOf(entry)
    yield* end
  }
  await pipeline(Readable.from(chunks()), createGzip({ level: 1 }), createWriteStream(file))
  return file
}

/** Restores, and looks how much memory that took at most, while nobody reads what it says. */
const restored = async (archive: string) => {
  const folder = temporaryFolder()
  const pipe = openPipe()
  const command = [...target, 'restore', archive, '--data', join(folder, 'new')]
  const { child } = spawnInto(command, { stderr: pipe.writeEnd })
  expect(await isHeldUp(child)).toBe(true)
  const peak = peakResidentBytes(child.pid)
  const says = String(await pipe.read())
  return { code: await child.exited, peak, says, left: readdirSync(folder) }
}

let plainPeak = 0
beforeAll(async () => {
  const server = await start({ args: ['--log', 'off'] })
  await createClient(server.url).paste()
  await server.stop()
  const archive = join(temporaryFolder(), 'plain.tgz')
  expect((await run(['backup', archive, '--data', server.data])).code).toBe(0)
  const { code, peak } = await restored(archive)
  expect(code).toBe(0)
  plainPeak = peak
})

const id = 'abcdefghjk'
const item = `pastes/ab/${id}.json`
const gibibyte = 1024 * mebibyte

/** A document with a right checksum, larger than any test should hold as one string. */
const sealed = function* (pieces: () => Iterable<Uint8Array>): Generator<Uint8Array> {
  let sum = 0
  for (const piece of pieces()) sum = crc32(piece, sum)
  yield Buffer.from(`{"crc32":"${sum.toString(16).padStart(8, '0')}","document":`)
  yield* pieces()
  yield Buffer.from('}')
}
const sealedEntry = (name: string, pieces: () => Iterable<Uint8Array>): Entry => {
  let size = 0
  for (const piece of sealed(pieces)) size += piece.length
  return { name, size, body: sealed(pieces) }
}

/** Three letters of an id. */
const letters = (at: number) =>
  [at / 49, at / 7, at].map((digit) => 'bcdefgh'[Math.floor(digit) % 7]).join('')

const manyValues = function* (count: number, value: string): Generator<Uint8Array> {
  yield Buffer.from('[')
  for (let left = count; left > 0; left -= 1000) yield Buffer.from(`${value},`.repeat(1000))
  yield Buffer.from(`${value}]`)
}

const head = `{"id":"${id}","createdAt":1700000000000,"owner":"x","deletionHash":"${'0'.repeat(64)}","title":"","description":"","language":"text"`
const textEntry = (text: () => Iterable<Uint8Array>) =>
  sealedEntry(item, function* () {
    yield Buffer.from(`${head},"text":"`)
    yield* text()
    yield Buffer.from('"}')
  })

const paxRecords = () =>
  Array.from({ length: 700_000 }, (_, at) => `12 k${String(at).padStart(6, '0')}=\n`).join('')

/** A file of counts whose schema is as long as this. */
const countsOf = (bytes: number) => {
  const file = join(temporaryFolder(), 'counts.sqlite')
  const database = new Database(file)
  database.exec('PRAGMA synchronous = OFF; BEGIN')
  const columns = Array.from({ length: 1900 }, (_, at) => `c${at} TEXT DEFAULT '${'x'.repeat(500)}'`).join()
  for (let at = 0; at < bytes / mebibyte; at++) database.exec(`CREATE TABLE t${at} (${columns})`)
  database.exec('COMMIT; PRAGMA user_version = 1')
  database.close()
  return readFileSync(file)
}

describe('an archive that no backup wrote', () => {
  const hostile: readonly (readonly [string, () => Promise<string>, RegExp])[] = [
    [
      'has a time of 512 MiB',
      () => archiveOf([{ name: 'since', size: gibibyte / 2, body: repeated('1', gibibyte / 2) }, stamp]),
      /holds "since" with 536870912 bytes, where a backup has at most 20\.$/m,
    ],
    [
      'has an item of 3 GiB',
      // Its header alone: nothing of it is unpacked.
      () => archiveOf([stamp, { name: item, size: 3 * gibibyte, body: 'x' }], []),
      /with 3221225472 bytes, where a backup has at most 403701760\.$/m,
    ],
    ...[
      'counts.sqlite',
      'keys.json',
      'shortcrust.json',
      'aliases/links/ca/a.json',
      `pastes/ab/${id}.gone`,
    ].map(
      (name) =>
        [
          `has ${name} of 3 GiB`,
          () => archiveOf([{ name, size: 3 * gibibyte, body: 'x' }], []),
          new RegExp(`holds "${name}" with 3221225472 bytes`),
        ] as const,
    ),
    [
      'has a long name in an entry of its own',
      () => archiveOf([{ name: '././@LongLink', type: 'L', body: 'x'.repeat(8 * mebibyte) }, stamp]),
      /is not a plain file/,
    ],
    [
      'has 700,000 attributes',
      () => archiveOf([{ name: 'x', type: 'x', body: paxRecords() }, stamp]),
      /is not a plain file/,
    ],
    [
      'has attributes for all that follows',
      () => archiveOf([{ name: 'x', type: 'g', body: paxRecords() }, stamp]),
      /is not a plain file/,
    ],
    ...['S', '1', '2', '5'].map(
      (type) =>
        [
          `has an entry of type ${type}`,
          () => archiveOf([{ name: item, type, body: 'x' }, stamp]),
          /is not a plain file/,
        ] as const,
    ),
    [
      'goes on with 512 MiB of zeros after its end',
      () => archiveOf([stamp], repeated('\0', gibibyte / 2)),
      /it has a wrong end/,
    ],
    [
      'has an empty block between two files',
      () => archiveOf([stamp], [blocks(512), headerOf({ name: item }), blocks(1024)]),
      /it has a wrong end/,
    ],
    [
      'has a file that is longer than its header says',
      () => archiveOf([{ name: item, size: 3, body: 'x'.repeat(2000) }, stamp]),
      /\(it holds a wrong number\)/,
    ],
    [
      'ends in the middle of a file',
      () => archiveOf([{ name: item, size: 2000, body: 'x' }], []),
      /it is cut short/,
    ],
    [
      'has an item of 96 MiB of nothing but brackets, with a right checksum',
      () => archiveOf([stamp, sealedEntry(item, () => manyValues(32 * mebibyte, '[]'))]),
      /holds more than any file of this kind/,
    ],
    [
      'has an item of 96 MiB whose text is no string of JSON',
      () =>
        archiveOf([
          stamp,
          textEntry(function* () {
            yield* repeated('x', 96 * mebibyte)
            yield Buffer.from('\\x')
          }),
        ]),
      /is not JSON/,
    ],
    [
      'has 300 items of nothing but brackets, each with a right checksum',
      () =>
        archiveOf(
          Array.from({ length: 300 }, (_, at) =>
            sealedEntry(`pastes/ab/abcdefg${letters(at)}.json`, () => manyValues(80_000, '[]')),
          ),
        ),
      /must be an object|abcdefg/,
    ],
    [
      'has keys of nothing but brackets',
      () =>
        archiveOf([
          sealedEntry('keys.json', function* () {
            yield Buffer.from('{"keys":')
            yield* manyValues(690_000, '[]')
            yield Buffer.from('}')
          }),
        ]),
      /keys\.json holds more than any file of this kind/,
    ],
    [
      'has counts whose tables are described in 100 MiB',
      () => archiveOf([{ name: 'counts.sqlite', body: countsOf(100 * mebibyte) }, stamp]),
      /counts\.sqlite/,
    ],
    [
      'has an item of 96 MiB with a wrong checksum',
      () =>
        archiveOf([
          stamp,
          { name: item, size: 96 * mebibyte, body: repeated(checkedJson.encode({}), 96 * mebibyte) },
        ]),
      /cut short|checksum/,
    ],
  ]

  test.each(hostile)(
    'and that %s is refused, in 64 MiB more than a plain one takes',
    async (_, make, says) => {
      const result = await restored(await make())
      expect(result.says).toMatch(says)
      expect(result).toMatchObject({ code: 1, left: [] })
      expect(result.peak - plainPeak).toBeLessThan(64 * mebibyte)
    },
  )

  test('and that has more files in one folder than its names spread over is refused', () => {
    const check = createEntryCheck(collections)
    const name = (at: number) => `pastes/ab/${at}.gone`
    for (let at = 0; at < 100_000; at++) check({ name: name(at), size: 0 })
    check({ name: 'pastes/ac/1.gone', size: 0 })
    expect(() => check({ name: name(100_000), size: 0 })).toThrow(
      'the backup holds more than 100000 files in pastes/ab',
    )
  })
})

test('a paste of 16 MiB of control characters is restored in 64 MiB more than a plain one takes', async () => {
  const result = await restored(
    await archiveOf([stamp, textEntry(() => repeated('\\u0001\\n\\ud83d\\ude00\\"', 96 * mebibyte))]),
  )
  expect(result).toMatchObject({ code: 0, left: ['new'] })
  expect(result.peak - plainPeak).toBeLessThan(64 * mebibyte)
})
