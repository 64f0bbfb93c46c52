import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Check, compileCheck } from '../schema/check.ts'
import { FormatStamp, KeyFile, StoredCounts } from '../schema.ts'
import { checkedJson, plainJson } from './codec.ts'
import { countsFolder, damagedSuffix } from './counts-store.ts'
import { tombstoneSuffix } from './document-files.ts'
import { completeName, expiryFolder, isHour, parseMark } from './expiry-index.ts'
import { indexProblem } from './index-record.ts'
import { indexStateName, stateProblem } from './index-state.ts'
import { namesIn } from './names-in.ts'

/** What a folder of documents may hold. */
export type CollectionRule = { check: Check<{ id: string }>; isId: (name: string) => boolean }
export type CollectionRules = Readonly<Record<string, CollectionRule>>

/** One file of a data folder. `text` is what it holds when it is whole; `problem` says why it is not. */
export type Inspected = { path: string; text: string } | { path: string; problem: string; isForeign: boolean }

const single: Readonly<Record<string, Check<unknown>>> = {
  'shortcrust.json': compileCheck(FormatStamp),
  'keys.json': compileCheck(KeyFile),
}

/** The folder of what each key made: it can be made anew. */
export const ownersName = 'owners'

/** Made anew by a server: neither inspected nor kept. `.gitignore` keeps the folder of a clone. */
const passing = new Set(['lock', 'lock.holder', 'keys.lock', 'tmp', '.gitignore', ownersName])

const foreign = (path: string): Inspected => ({ path, problem: 'does not belong here', isForeign: true })

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** `undefined` for a file that went away meanwhile: a running server deleted it. */
const inspectFile = async (
  folder: string,
  path: string,
  problemOf: (text: string) => string | undefined,
): Promise<Inspected | undefined> => {
  try {
    const text = await readFile(join(folder, path), 'utf8')
    const problem = problemOf(text)
    return problem === undefined ? { path, text } : { path, problem, isForeign: false }
  } catch (error) {
    return isMissing(error) ? undefined : { path, problem: (error as Error).message, isForeign: false }
  }
}

const documentProblem =
  (id: string, { check }: CollectionRule) =>
  (text: string) => {
    const document = checkedJson.decode(text)
    return (
      check.problem(document) ??
      (check.isValid(document) && document.id === id ? undefined : 'holds another id')
    )
  }

const inspectEntry = (folder: string, path: string, shard: string, name: string, rule: CollectionRule) => {
  const [, id = '', suffix] = /^([^.]+)(\.json|\.gone)$/.exec(name) ?? []
  if (!rule.isId(id) || !id.startsWith(shard)) return foreign(path)
  if (suffix !== tombstoneSuffix) return inspectFile(folder, path, documentProblem(id, rule))
  return inspectFile(folder, path, (text) =>
    text === '' ? undefined : 'is not the empty file of a deleted item',
  )
}

/** Every file of a folder of documents, with what is wrong with it. Paths are relative. */
export async function* inspectCollection(folder: string, name: string, rule: CollectionRule) {
  for (const shard of (await readdir(join(folder, name))).sort()) {
    const shardPath = `${name}/${shard}`
    if (shard.length !== 2 || !(await stat(join(folder, shardPath))).isDirectory()) yield foreign(shardPath)
    else
      for (const file of (await readdir(join(folder, shardPath))).sort()) {
        const inspected = await inspectEntry(folder, `${shardPath}/${file}`, shard, file, rule)
        if (inspected) yield inspected
      }
  }
}

const countsCheck = compileCheck(StoredCounts)

const countsProblem =
  (shard: string, { isId }: CollectionRule) =>
  (text: string) => {
    const counts = checkedJson.decode(text)
    const problem = countsCheck.problem(counts)
    if (problem) return problem
    const isForeignId = (id: string) => !isId(id) || !id.startsWith(shard)
    return Object.keys(counts as StoredCounts).some(isForeignId)
      ? 'counts what does not belong here'
      : undefined
  }

const inspectLeftover = (path: string): Inspected =>
  path.endsWith(damagedSuffix)
    ? { path, problem: 'was damaged and put aside; remove it when you have looked', isForeign: false }
    : foreign(path)

async function* inspectCounts(folder: string, name: string, rules: CollectionRules) {
  for (const collection of (await readdir(join(folder, name))).sort()) {
    const path = `${name}/${collection}`
    const rule = rules[collection]
    if (!rule || !(await stat(join(folder, path))).isDirectory()) yield foreign(path)
    else
      for (const file of (await readdir(join(folder, path))).sort()) {
        const [, shard] = /^([a-z0-9]{2})\.json$/.exec(file) ?? []
        const inspected: Inspected | undefined =
          shard === undefined
            ? inspectLeftover(`${path}/${file}`)
            : await inspectFile(folder, `${path}/${file}`, countsProblem(shard, rule))
        if (inspected) yield inspected
      }
  }
}

/** Marks are made anew from the documents, so nothing is said of those that are well. */
async function* inspectMarks(folder: string) {
  for (const hour of (await namesIn(join(folder, expiryFolder))).sort()) {
    if (hour === completeName) continue
    if (!isHour(hour)) yield foreign(`${expiryFolder}/${hour}`)
    else
      for (const name of (await namesIn(join(folder, expiryFolder, hour))).sort())
        if (!parseMark(name)) yield foreign(`${expiryFolder}/${hour}/${name}`)
  }
}

/** Every file of a data folder, also of a running server, with what is wrong with it. Paths are relative. */
export async function* inspectFolder(folder: string, rules: CollectionRules): AsyncGenerator<Inspected> {
  for (const name of (await readdir(folder)).sort()) {
    const rule = rules[name]
    const check = single[name]
    if (rule && (await stat(join(folder, name))).isDirectory()) yield* inspectCollection(folder, name, rule)
    else if (name === expiryFolder) yield* inspectMarks(folder)
    else if (check) {
      const inspected = await inspectFile(folder, name, (text) => check.problem(plainJson.decode(text)))
      if (inspected) yield inspected
    } else if (name === countsFolder) yield* inspectCounts(folder, name, rules)
    else if (!passing.has(name)) yield foreign(name)
  }
}

const ownerFolder = /^[0-9a-f]{16}$/

async function* inspectOwner(folder: string, path: string, lists: readonly string[]) {
  for (const name of (await readdir(join(folder, path))).sort()) {
    const file = `${path}/${name}`
    const inspected = lists.includes(name) ? await inspectFile(folder, file, indexProblem) : foreign(file)
    if (inspected) yield inspected
  }
}

/** Every file of the index of what each key made, if there is one. A damaged one is made anew by the server. */
export async function* inspectOwners(folder: string, rules: CollectionRules): AsyncGenerator<Inspected> {
  if (!existsSync(join(folder, ownersName))) return
  for (const name of (await readdir(join(folder, ownersName))).sort()) {
    const path = `${ownersName}/${name}`
    if (name === indexStateName) {
      const inspected = await inspectFile(folder, path, stateProblem)
      if (inspected) yield inspected
    } else if (ownerFolder.test(name)) yield* inspectOwner(folder, path, Object.keys(rules))
    else yield foreign(path)
  }
}
