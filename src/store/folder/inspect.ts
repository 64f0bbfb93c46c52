import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Check, compileCheck } from '../../items/check.ts'
import { KeyFile } from '../../items/schema.ts'
import { type Versioned, versionOf } from '../../items/versions.ts'
import { checkCounts, countsName, exportCounts, isAside, wasPutAside } from '../derived/counts-store.ts'
import { logSuffix } from '../derived/derived-file.ts'
import { indexNames } from '../derived/index-file.ts'
import { shardOf } from '../disk.ts'
import { earlierOf, tombstoneSuffix } from '../documents/documents.ts'
import { checkedJson, keysJson, plainJson } from '../documents/json-file.ts'
import { aliasCheck, aliasShard } from '../documents/names.ts'
import { revokedBy } from '../keys/revoked-keys.ts'
import { standbyName } from '../standby/marker.ts'
import { wordsNames } from '../words/words-file.ts'
import { formerNames, problemOfStamp } from './format.ts'
import { foreign, type Inspected, inspectFile } from './inspect-file.ts'

/** The rules for a folder of documents, and for the names that lead to them. */
export type CollectionRule = {
  check: Check<{ id: string }>
  isId: (name: string) => boolean
  isAlias: (name: string) => boolean
}
export type CollectionRules = Readonly<Record<string, CollectionRule>>

const keysCheck = compileCheck(KeyFile)

/** The problem of a file that is one of a kind. */
const single: Readonly<Record<string, (text: string) => string | undefined>> = {
  'shortcrust.json': (text) => problemOfStamp(plainJson.decode(text)),
  'keys.json': (text) => keysCheck.problem(keysJson.decode(text)),
}

/** What a server rebuilds, neither inspected nor saved. `.gitignore` keeps the folder in a clone, a disk has `lost+found`. */
const passing = new Set([
  ...indexNames,
  ...wordsNames,
  ...formerNames,
  'lock',
  'lock.holder',
  standbyName,
  'keys.lock',
  'tmp',
  '.gitignore',
  'lost+found',
  countsName + logSuffix,
])

export type Reading = {
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

const documentRule = ({ check, isId }: CollectionRule): FileRule => ({
  check,
  isName: isId,
  shardOf,
  key: 'id',
})

const aliasRule = ({ isAlias }: CollectionRule): FileRule => ({
  check: aliasCheck,
  isName: isAlias,
  shardOf: aliasShard,
  key: 'alias',
})

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
  return inspectFile(folder, path, (text) =>
    text === '' ? undefined : 'is not the empty file of a deleted item',
  )
}

/** Yields every file of a folder of documents, with its problem if it has one. Paths are relative. */
const inspectCollection = (walk: Walk, name: string, rule: CollectionRule) =>
  inspectShards(walk, name, documentRule(rule))

/** One that cannot be read is a problem, as a file is. So is one that went away: no server removes a folder. */
const namesOf = async (
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
  const { names: files, problems } = await namesOf(walk, shardPath)
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
  const { names: shards, problems } = await namesOf(walk, name)
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
  const { names, problems } = await namesOf(walk, 'aliases')
  yield* problems
  for (const name of names) {
    const [path, rule] = [`aliases/${name}`, rules[name]]
    if (rule) yield* inspectShards(walk, path, aliasRule(rule))
    else yield foreign(path)
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

const markProblem = (text: string) => (text === '' ? undefined : 'is not the empty file that revokes a key')

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
    const problemOf = revokedBy(name) ? markProblem : single[name]
    if (problemOf) {
      if (isKnown(name)) continue
      const inspected = await inspectFile(folder, name, problemOf, isShort)
      if (inspected) yield inspected
    } else if (rule) yield* inspectCollection(walk, name, rule)
    else if (name === 'aliases') yield* inspectAliases(walk, rules)
    else if (name === countsName) yield await inspectCounts(walk)
    else if (isAside(name)) yield { path: name, problem: wasPutAside, isForeign: false }
    else if (!passing.has(name)) yield foreign(name)
  }
}
