import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { unusableFolder } from '../../errors.ts'
import type { StoredAlias, StoredKey } from '../../items/schema.ts'
import { type Count, countsName, countsOfCopy, newCountsFile } from '../derived/counts-store.ts'
import { checkedJson, shardOf } from '../disk.ts'
import { documentJson, earlierOf, headOf, tombstoneSuffix } from '../documents/documents.ts'
import { aliasShard } from '../documents/item-store.ts'
import { type ArchiveParts, unpackFor } from '../folder/archive.ts'
import { newStamp } from '../folder/data-folder.ts'
import { type CollectionRules, type Inspected, inspectFolder } from '../folder/inspect.ts'
import { revokedBy } from '../folder/key-file.ts'
import type { StoredItem } from '../store.ts'
import { checkRates, putKeysText } from './access.ts'
import { type Ask, openDb } from './db.ts'
import { addTotals, insertText, itemOf, type Stored, storedValues } from './items.ts'
import { fillCounts } from './storage.ts'

const inTransaction = async (url: string, mode: string, work: (ask: Ask) => Promise<void>) => {
  const db = await openDb({ url, limitMs: 0 })
  await db.transaction(mode, work).finally(db.close)
}

/** A few rows at a time: each may have a text. */
async function* cursorRows<R>(ask: Ask, cursor: string, select: string) {
  await ask(`DECLARE ${cursor} CURSOR FOR ${select}`)
  for (let isMore = true; isMore; ) {
    const rows: readonly R[] = await ask<R>(`FETCH 8 FROM ${cursor}`)
    yield* rows
    isMore = rows.length > 0
  }
}

/** 0 for the newest version of an item, which comes before the earlier ones. */
const documentsText = `SELECT kind, id, state, 0 AS earlier, head, text FROM items WHERE state <> 'r'
UNION ALL SELECT kind, id, 'l', version, head, text FROM versions ORDER BY kind, id, earlier`
type Document = Stored<StoredItem> & { kind: string; id: string; state: string; earlier: number }

const fileOf = (document: Document, { check }: CollectionRules[string]): Inspected => {
  const { kind, id, state, earlier } = document
  const path = `${kind}/${shardOf(id)}/${id}`
  if (state === 'g') return { path: `${path}${tombstoneSuffix}`, text: '' }
  const item = itemOf(document)
  const problem = check.problem(item)
  const file = { path: `${path}${earlier === 0 ? '' : `.${earlier}`}.json`, isForeign: false }
  return problem === undefined ? { ...file, text: documentJson.encode(item) } : { ...file, problem }
}

/** The files of a data folder with everything that a database holds. */
async function* filesOf(ask: Ask, rules: CollectionRules): AsyncGenerator<Inspected> {
  yield { path: 'shortcrust.json', text: newStamp() }
  const [ring] = await ask<{ version: number; keys: readonly StoredKey[] }>('SELECT * FROM key_ring')
  if (ring?.version) yield { path: 'keys.json', text: checkedJson.encode({ keys: ring.keys }) }
  const counts = await ask<Count>(`SELECT rtrim(c.kind, 's') AS kind, id, uses AS by FROM counts c
    JOIN items i USING (kind, id) WHERE i.state = 'l'`)
  const uses = await ask<{ name: string; used: number }>('SELECT name, used FROM key_uses')
  const bytes = newCountsFile(counts, new Map(uses.map(({ name, used }) => [name, used])))
  yield { path: countsName, text: '', bytes }
  for await (const document of cursorRows<Document>(ask, 'documents', documentsText)) {
    const rule = rules[document.kind]
    if (rule) yield fileOf(document, rule)
  }
  const names = cursorRows<StoredAlias & { kind: string }>(
    ask,
    'aliases',
    'SELECT kind, alias, id, owner FROM names',
  )
  for await (const { kind, ...name } of names) {
    const path = `aliases/${kind}/${aliasShard(name.alias)}/${name.alias}.json`
    yield { path, text: checkedJson.encode(name) }
  }
}

/** A name is live if its item has it. One in the shape of an id takes that id as well. */
const nameText = `
WITH reserved AS (INSERT INTO items (kind, id, state, owner, created) SELECT $1, $2, 'r', $4, 0 WHERE $5::boolean
  ON CONFLICT DO NOTHING)
INSERT INTO names (kind, alias, id, owner, is_live, expires)
SELECT $1::text, $2::text, $3::text, $4::text, i.id IS NOT NULL, i.expires FROM (SELECT) one
LEFT JOIN items i ON i.kind = $1 AND i.id = $3 AND i.alias = $2 AND i.state = 'l'`
const goneText = `INSERT INTO items (kind, id, state, owner, created) VALUES ($1, $2, 'g', '', 0)`
const versionText = 'INSERT INTO versions (kind, id, version, head, text) VALUES ($1, $2, $3, $4, $5)'

/** One file of a collection. */
const putDocument = (ask: Ask, kind: string, path: string, text: string) => {
  const file = path.slice(path.lastIndexOf('/') + 1)
  if (file.endsWith(tombstoneSuffix)) return ask(goneText, [kind, file.slice(0, -tombstoneSuffix.length)])
  const item = documentJson.decode(text) as StoredItem & { text?: string }
  if (!earlierOf(file)) return ask(insertText, storedValues(kind, item))
  const bytes = item.text === undefined ? null : Buffer.from(item.text)
  return ask(versionText, [kind, item.id, item.version ?? 1, JSON.stringify(headOf(item)), bytes])
}

/** No server may write meanwhile. @throws {AppError} `unusable-folder` */
const takeEmpty = async (ask: Ask) => {
  await ask('LOCK TABLE items, names, versions, counts, key_ring, key_uses IN ACCESS EXCLUSIVE MODE')
  const [row] = await ask<{ used: boolean }>(
    'SELECT EXISTS (SELECT FROM items) OR EXISTS (SELECT FROM names) OR version > 0 AS used FROM key_ring',
  )
  if (row?.used) throw unusableFolder('the database is not empty; restore into a new one')
}

/**
 * Puts everything of a data folder, in which nothing is damaged, into an empty database.
 * @throws {AppError} `unusable-folder`, `storage-unavailable`
 */
const fillDatabase = async (ask: Ask, folder: string, rules: CollectionRules, onFile: () => void) => {
  await takeEmpty(ask)
  const revoked = new Set<string>()
  let keys: readonly StoredKey[] | undefined
  let counted: ReturnType<typeof countsOfCopy> = { counts: [], uses: new Map() }
  // Names last: whether one leads to an item is known then.
  for await (const file of inspectFolder(folder, rules, { areNamesLast: true })) {
    if ('problem' in file) throw unusableFolder(`${file.path} ${file.problem}`)
    const { path, text } = file
    const [room = '', kind = ''] = path.split('/')
    if (path === 'keys.json') keys = (checkedJson.decode(text) as { keys: StoredKey[] }).keys
    else if (room === 'aliases') {
      const { alias, id, owner } = checkedJson.decode(text) as StoredAlias
      await ask(nameText, [kind, alias, id, owner, rules[kind]?.isId(alias) === true])
    } else if (rules[room]) await putDocument(ask, room, path, text)
    if (path === countsName) counted = countsOfCopy(join(folder, countsName))
    revoked.add(revokedBy(path) ?? '')
    onFile()
  }
  await ask(addTotals("SELECT kind, owner, 0, count(*) FROM items WHERE state = 'l' GROUP BY kind, owner"))
  await fillCounts(ask, counted.counts, counted.uses)
  const left = keys?.filter(({ sha256 }) => !revoked.has(sha256))
  if (!left) return
  checkRates(left)
  await ask(putKeysText, [0, JSON.stringify(left)])
}

/** The files that a data folder would have, also of running servers. @param use takes them all, as they were at one moment */
export const readDatabase = (
  url: string,
  rules: CollectionRules,
  use: (files: AsyncIterable<Inspected>) => Promise<void>,
) => inTransaction(url, 'ISOLATION LEVEL REPEATABLE READ, READ ONLY', (ask) => use(filesOf(ask, rules)))

/** Fills an empty database from an archive, which is unpacked and verified first. @throws {AppError} as `unpackFor` does */
export const restoreDatabase = (
  url: string,
  { rules, onFile, stop }: Omit<ArchiveParts, 'folder'>,
  archive: Readable,
) => {
  // Each file is unpacked, and then stored.
  const unpacking = { folder: join(tmpdir(), 'shortcrust'), rules, onFile: () => {}, stop }
  const onStored = () => {
    stop.throwIfAborted()
    onFile()
  }
  return unpackFor(unpacking, archive, (folder) =>
    inTransaction(url, '', (ask) => fillDatabase(ask, folder, rules, onStored)),
  )
}
