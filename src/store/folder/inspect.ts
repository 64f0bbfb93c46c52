import { existsSync } from 'node:fs'
import { type FileHandle, open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { type Check, compileCheck } from '../../items/field.ts'
import { type Versioned, versionOf } from '../../items/ids.ts'
import { KeyFile } from '../../items/schema.ts'
import { checkCounts, countsName, exportCounts, isAside, wasPutAside } from '../derived/counts-store.ts'
import { logSuffix } from '../derived/derived-file.ts'
import { bootId, indexName, indexNames, readIndexCopy, rowsIn } from '../derived/item-index.ts'
import { checkedJson, cutShort, openingBytes, plainJson, seal, shardOf, sumIn, wrongSum } from '../disk.ts'
import { createReading, earlierOf, tombstoneSuffix } from '../documents/documents.ts'
import { aliasCheck, aliasShard, rowOf } from '../documents/item-store.ts'
import type { Row, StoredItem } from '../store.ts'
import { wordsNames } from '../words/words-file.ts'
import { problemOfStamp, standbyName } from './data-folder.ts'
import { revokedBy } from './key-file.ts'
import { isLocked } from './lock.ts'

/**
 * One file of a data folder. An intact file has its contents in `text`, or in `bytes` if they are binary; else `problem` says
 * what is wrong.
 */
export type Inspected =
  | { path: string; text: string; bytes?: Uint8Array }
  | { path: string; problem: string; isForeign: boolean }

/** A file that no server writes. */
const foreign = (path: string): Inspected => ({
  path,
  problem: 'does not belong here',
  isForeign: true,
})

/** Larger files are read in pieces where their text is not wanted. */
const smallBytes = 256 * 1024

/** Characters of a string that are kept: more than any but a text may have. */
const keptOfString = 64 * 1024

/** What is kept of a whole file. 10,000 keys have 80,000 values; each takes up to 300 bytes of memory. */
const [mostKept, mostValues] = [2 * 1024 ** 2, 100_000]

/** The characters of a string in JSON up to its end or the next `\\`; what may follow that: no half of a pair alone. */
const plain = /[ !#-[\]-\u{10ffff}]*/uy
const escaped = /\\(?:["\\/bfnrt]|u(?!d[89a-f])[0-9a-f]{4}|ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2})/iy
const longestEscaped = 12

const matchAt = (shape: RegExp, text: string, at: number) => {
  shape.lastIndex = at
  return shape.exec(text)?.[0]
}

/** Shortens JSON that comes in pieces, and checks what it leaves out. @throws {Error} that says what is wrong */
const createShortening = () => {
  let [short, rest, isString, kept, values] = ['', '', false, 0, 0]

  const keep = (part: string) => {
    short += part
    if (short.length > mostKept || values > mostValues)
      throw new Error('holds more than any file of this kind')
  }
  const keepOfString = (part: string) => {
    if (kept < keptOfString) keep(part.slice(0, keptOfString).toWellFormed())
    kept += part.length
  }
  /** @returns where the string ends, or the piece, or what may be half of an escaped character */
  const readString = (text: string, from: number, isLast: boolean) => {
    for (let at = from; ; ) {
      const characters = matchAt(plain, text, at) ?? ''
      keepOfString(characters)
      at += characters.length
      if (at === text.length || text[at] === '"') return at
      if (!isLast && text.length - at < longestEscaped) return at
      const character = matchAt(escaped, text, at)
      if (character === undefined) throw new Error('is not JSON')
      keepOfString(character)
      at += character.length
    }
  }
  const read = (piece: string, isLast = false) => {
    const text = rest + piece
    let at = 0
    while (at < text.length) {
      if (isString) at = readString(text, at, isLast)
      if (isString && text[at] !== '"') break
      const end = isString ? at + 1 : text.indexOf('"', at) + 1 || text.length
      for (let place = at; place < end; place++) if ('[{,'.includes(text[place] as string)) values++
      keep(text.slice(at, end))
      isString = !isString && text[end - 1] === '"'
      kept = 0
      at = end
    }
    rest = text.slice(at)
  }
  return { read, text: () => short }
}

/** Reads one piece after the other into the same memory. */
async function* piecesOf(handle: FileHandle, from: number, to: number) {
  const memory = Buffer.alloc(64 * 1024)
  for (let at = from; at < to; ) {
    const { bytesRead } = await handle.read(memory, 0, Math.min(memory.length, to - at), at)
    if (bytesRead === 0) throw new Error(cutShort)
    at += bytesRead
    yield memory.subarray(0, bytesRead)
  }
}

const textBetween = async (handle: FileHandle, from: number, to: number) =>
  Buffer.concat(await Array.fromAsync(piecesOf(handle, from, to), (piece) => Buffer.from(piece))).toString()

/**
 * The text of a document as it is, or of a large one with its checksum checked and its long strings cut: with no more of it in
 * memory than that. @throws {Error} that says what is wrong; errors of the file system
 */
export const shortText = async (path: string) => {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    if (size <= smallBytes) return await textBetween(handle, 0, size)
    const sum = sumIn(await textBetween(handle, 0, openingBytes))
    if (sum === undefined || (await textBetween(handle, size - 1, size)) !== '}') throw new Error(cutShort)
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    const shortening = createShortening()
    let crc = 0
    for await (const piece of piecesOf(handle, openingBytes, size - 1)) {
      crc = crc32(piece, crc)
      shortening.read(decoder.decode(piece, { stream: true }))
    }
    shortening.read(decoder.decode(), true)
    if (crc !== sum) throw new Error(wrongSum)
    return seal(shortening.text())
  } finally {
    await handle.close()
  }
}

/** Reads a file; `undefined` if a running server has just deleted it. @param isShort true if its long strings may be cut */
export const inspectFile = async (
  folder: string,
  path: string,
  problemOf: (text: string) => string | undefined,
  isShort = false,
): Promise<Inspected | undefined> => {
  try {
    const file = join(folder, path)
    const text = await (isShort ? shortText(file) : readFile(file, 'utf8'))
    const problem = problemOf(text)
    return problem === undefined ? { path, text } : { path, problem, isForeign: false }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
      ? undefined
      : { path, problem: (error as Error).message, isForeign: false }
  }
}

/** The rules for a folder of documents, and for the names that lead to them. */
type CollectionRule = {
  check: Check<{ id: string }>
  isId: (name: string) => boolean
  isAlias: (name: string) => boolean
}
export type CollectionRules = Readonly<Record<string, CollectionRule>>

const keysCheck = compileCheck(KeyFile)

const emptyOr = (problem: string) => (text: string) => (text === '' ? undefined : problem)

/** The problem of a file that is one of a kind. */
const single: Readonly<Record<string, (text: string) => string | undefined>> = {
  'shortcrust.json': (text) => problemOfStamp(plainJson.decode(text)),
  'keys.json': (text) => keysCheck.problem(checkedJson.decode(text)),
}

/** What a server rebuilds, neither inspected nor saved. `.gitignore` keeps the folder in a clone, a disk has `lost+found`. */
const passing = new Set([
  ...indexNames,
  ...wordsNames,
  'lock',
  'lock.holder',
  standbyName,
  'keys.lock',
  'tmp',
  '.gitignore',
  'lost+found',
  countsName + logSuffix,
])

type Reading = {
  /** Called with each path before its file is read; those that it knows are left out. */
  isKnown?: (path: string) => boolean
  /** True if texts may be cut, and files that are not text left out: then memory does not grow with the largest file. */
  isShort?: boolean
  /**
   * True to read names after items: a running server writes a name before its item, so each item that was read has its
   * name among those that follow.
   */
  areNamesLast?: boolean
}

/** The folder that is read, and how. */
type Walk = { folder: string } & Required<Omit<Reading, 'areNamesLast'>>

/** The rules for the files of a folder: names and contents. */
type FileRule = {
  check: Check<object>
  isName: (name: string) => boolean
  shardOf: (name: string) => string
  /** The field that must equal the file's name. */
  key: 'id' | 'alias'
}

const documentProblem =
  (name: string, { check, key }: FileRule, version?: number) =>
  (text: string) => {
    const document = checkedJson.decode(text)
    const problem = check.problem(document)
    if (problem) return problem
    if ((document as Record<string, unknown>)[key] !== name) return `holds another ${key}`
    const isRight = version === undefined || versionOf(document as Versioned) === version
    return isRight ? undefined : 'holds another version'
  }

const inspectEntry = (
  { folder, isKnown, isShort }: Walk,
  path: string,
  shard: string,
  file: string,
  rule: FileRule,
) => {
  const [name = '', version] = earlierOf(file) ?? [/^([^.]+)(?:\.json|\.gone)$/.exec(file)?.[1]]
  const isTombstone = file.endsWith(tombstoneSuffix)
  if (!rule.isName(name) || rule.shardOf(name) !== shard) return foreign(path)
  if (rule.key === 'alias' && (isTombstone || version !== undefined)) return foreign(path)
  if (isKnown(path)) return undefined
  if (!isTombstone) return inspectFile(folder, path, documentProblem(name, rule, version), isShort)
  return inspectFile(folder, path, emptyOr('is not the empty file of a deleted item'))
}

/** One that cannot be read is a problem, as a file is. So is one that went away: no server removes a folder. */
const entriesOf = async (
  { folder }: Walk,
  path: string,
): Promise<{ names: string[]; problems: Inspected[] }> => {
  try {
    return { names: (await readdir(join(folder, path))).sort(), problems: [] }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const problem = code === 'ENOTDIR' ? foreign(path) : { path, problem: message, isForeign: false }
    return { names: [], problems: [problem] }
  }
}

async function* inspectShard(walk: Walk, shardPath: string, shard: string, rule: FileRule) {
  const { names: files, problems } = await entriesOf(walk, shardPath)
  yield* problems
  const all = new Set(files)
  for (const file of files) {
    const path = `${shardPath}/${file}`
    const [id] = earlierOf(file) ?? []
    const of = id ?? file.replace(/\.json$/, '')
    // Beside its tombstone, a document is being erased, or will be after the next start; its earlier versions go with it.
    if (file.endsWith('.json') && all.has(`${of}.json`) && all.has(of + tombstoneSuffix)) continue
    const inspected = await inspectEntry(walk, path, shard, file, rule)
    if (id !== undefined && inspected && !('problem' in inspected) && !all.has(`${id}.json`))
      yield { path, problem: isOrphan, isForeign: false }
    else if (inspected) yield inspected
  }
}

async function* inspectShards(walk: Walk, name: string, rule: FileRule) {
  const { names: shards, problems } = await entriesOf(walk, name)
  yield* problems
  for (const shard of shards)
    if (shard.length === 2) yield* inspectShard(walk, `${name}/${shard}`, shard, rule)
    else yield foreign(`${name}/${shard}`)
}

/** A consistent copy of the counts, or the problem of their file. */
const inspectCounts = async ({ folder, isShort }: Walk): Promise<Inspected> => {
  try {
    if (isShort) checkCounts(folder)
    if (isShort) return { path: countsName, text: '' }
    return { path: countsName, text: '', bytes: await exportCounts(folder) }
  } catch (error) {
    return { path: countsName, problem: (error as Error).message, isForeign: false }
  }
}

async function* inspectAliases(walk: Walk, rules: CollectionRules) {
  const { names, problems } = await entriesOf(walk, 'aliases')
  yield* problems
  for (const name of names) {
    const isName = rules[name]?.isAlias
    if (isName)
      yield* inspectShards(walk, `aliases/${name}`, {
        check: aliasCheck,
        isName,
        shardOf: aliasShard,
        key: 'alias',
      })
    else yield foreign(`aliases/${name}`)
  }
}

/** Reads marks first: the mark of a key may go once `keys.json` lacks it, so the other order could restore a revoked key. */
const inOrder = (names: readonly string[], areNamesLast: boolean) => {
  const isLast = (name: string) => areNamesLast && name === 'aliases'
  const {
    marks = [],
    others = [],
    last = [],
  } = Object.groupBy(names, (name) => (revokedBy(name) ? 'marks' : isLast(name) ? 'last' : 'others'))
  return [...marks.sort(), ...others.sort(), ...last]
}

/** The problem of an earlier version whose item is missing. */
export const isOrphan = 'is an earlier version of an item that is gone'

const leadsElsewhere = 'leads to another item'

type Named = { id: string; alias?: string; expiresAt?: number }

/**
 * Why the name of an item does not lead to it, so that it is listed under an address which does not show it; `undefined`
 * if all is well. The name of an item that has expired may be another's.
 * @param file of an intact document, also of a running server
 */
export const problemOfName = async (
  folder: string,
  { path, text }: { path: string; text: string },
  now: number,
): Promise<string | undefined> => {
  const { id, alias, expiresAt } = checkedJson.decode(text) as Named
  if (alias === undefined || (expiresAt !== undefined && expiresAt <= now)) return undefined
  const record = `aliases/${path.slice(0, path.indexOf('/'))}/${aliasShard(alias)}/${alias}.json`
  const found = await inspectFile(folder, record, (json) =>
    (checkedJson.decode(json) as Named).id === id ? undefined : leadsElsewhere,
  )
  // One that is damaged is named itself.
  if (found && !('problem' in found && found.problem === leadsElsewhere)) return undefined
  // A running server may have deleted it since it was read, and given its name away.
  const isThere = (file: string) => existsSync(join(folder, file))
  if (!isThere(path) || isThere(path.replace(/json$/, 'gone'))) return undefined
  const why = found ? leadsElsewhere : 'is missing'
  return `its name does not lead to it, because ${record} ${why}; put that file back, or delete the item by its id`
}

/**
 * Yields every file of a data folder, also of a running server, with its problem if it has one. Paths are relative.
 */
export async function* inspectFolder(
  folder: string,
  rules: CollectionRules,
  { isKnown = () => false, isShort = false, areNamesLast = false }: Reading = {},
): AsyncGenerator<Inspected> {
  const walk = { folder, isKnown, isShort }
  for (const name of inOrder(await readdir(folder), areNamesLast)) {
    const rule = rules[name]
    const problemOf = revokedBy(name) ? emptyOr('is not the empty file that revokes a key') : single[name]
    if (problemOf) {
      if (isKnown(name)) continue
      const inspected = await inspectFile(folder, name, problemOf, isShort)
      if (inspected) yield inspected
    } else if (rule)
      yield* inspectShards(walk, name, { check: rule.check, isName: rule.isId, shardOf, key: 'id' })
    else if (name === 'aliases') yield* inspectAliases(walk, rules)
    else if (name === countsName) yield await inspectCounts(walk)
    else if (isAside(name)) yield { path: name, problem: wasPutAside, isForeign: false }
    else if (!passing.has(name)) yield foreign(name)
  }
}

/**
 * Compares the index with the documents of a folder.
 * @param documents their relative paths
 * @returns `none`: there is no index, or the next start rebuilds it. `in use`: a server has locked it. `compared`: the documents
 *   that it lacks, and the number of rows without a document, which a crash may leave and are harmless
 * @throws SQLite's error for a damaged index
 */
export const inspectIndex = async (
  folder: string,
  documents: ReadonlySet<string>,
): Promise<
  { state: 'none' | 'in use' } | { state: 'compared'; unlisted: readonly string[]; leftovers: number }
> => {
  const [file, lock] = [join(folder, indexName), join(folder, 'lock')]
  if (!existsSync(file)) return { state: 'none' }
  if (isLocked(lock)) return { state: 'in use' }
  const rows = await readIndexCopy(folder, bootId(), (database) =>
    database.query<{ kind: string; id: string }, []>('SELECT kind, id FROM items').all(),
  )
  // A server started meanwhile, so the copy may be inconsistent.
  if (isLocked(lock)) return { state: 'in use' }
  if (!rows) return { state: 'none' }
  const listed = new Set(rows.map(({ kind, id }) => `${kind}/${shardOf(id)}/${id}.json`))
  const isThere = (path: string) => existsSync(join(folder, path))
  return {
    state: 'compared',
    unlisted: [...documents].filter((path) => !listed.has(path) && isThere(path)).sort(),
    leftovers: [...listed].filter((path) => !documents.has(path) && !isThere(path)).length,
  }
}

/**
 * Sums up the items of a folder, also of a running server: from a copy of its index, which is `whole`, or from every
 * document if there is none that can be trusted (`none`).
 * @param create makes an empty sum
 * @param onDocument called for each document that is read
 */
export const sumOfFolder = async <S extends { add: (row: Row) => void }>(
  folder: string,
  rules: CollectionRules,
  create: () => S,
  onDocument: () => void,
): Promise<{ sum: S; index: 'whole' | 'none' }> => {
  const known = await readIndexCopy(folder, bootId(), (database) => {
    const sum = create()
    for (const row of rowsIn(database)) sum.add(row)
    return sum
    // A damaged index is no reason to stop: the documents know the same.
  }).catch(() => undefined)
  if (known) return { sum: known, index: 'whole' }
  const sum = create()
  for (const [kind, { check }] of Object.entries(rules)) {
    const { heads } = createReading({ folder: join(folder, kind), temporaryFolder: '', check })
    for await (const { head, isErasing } of heads()) {
      onDocument()
      if (!isErasing) sum.add(rowOf(kind, head as object as StoredItem))
    }
  }
  return { sum, index: 'none' }
}
