import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createIds, type ItemKind, idAlphabet } from '../../src/items/ids.ts'
import { documentJson } from '../../src/store/documents/document-codec.ts'

const ids = createIds((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
const folders = { paste: 'pastes', link: 'links' } as const

/** What every stored item has, of the length it has in truth. */
export const commonFields = {
  createdAt: 1_700_000_000_000,
  owner: 'environment',
  deletionHash: '0123456789abcdef'.repeat(4),
}

/** What beside that a paste and a link have. */
const fieldsOf = {
  paste: (at: number) => ({
    text: `const paste: number = ${at}\n`.repeat(8),
    title: `Paste ${at}`,
    description: '',
    language: 'typescript',
  }),
  link: (at: number) => ({ url: `https://example.org/a/page/of/some/length?number=${at}` }),
}

/** Path of the file of an item in a data folder. */
export const fileOf = (data: string, kind: ItemKind, id: string) =>
  join(data, folders[kind], id.slice(0, 2), `${id}.json`)

/** Makes a folder for each two characters an id may begin with. */
export const makeIdFolders = (folder: string) => {
  for (const first of idAlphabet)
    for (const second of idAlphabet) mkdirSync(join(folder, first + second), { recursive: true, mode: 0o700 })
}

/** Ids that are all different: of 100,000 random ids of links, two are the same in every sixth folder. */
const createFreshIds = (kind: ItemKind) => {
  const taken = new Set<string>()
  return () => {
    let id = ids.itemId(kind)
    while (taken.has(id)) id = ids.itemId(kind)
    taken.add(id)
    return id
  }
}

/** Writes items as the store does, but without syncing them. @param gap milliseconds from one to the next @returns their ids */
export const fillFolder = (data: string, kind: ItemKind, count: number, gap = 0) => {
  makeIdFolders(join(data, folders[kind]))
  const freshId = createFreshIds(kind)
  return Array.from({ length: count }, (_, at) => {
    const id = freshId()
    const createdAt = commonFields.createdAt + at * gap
    const document = { id, ...commonFields, createdAt, ...fieldsOf[kind](at) }
    writeFileSync(fileOf(data, kind, id), documentJson.encode(document), { mode: 0o600 })
    return id
  })
}

/**
 * Moves every other item out of a data folder, and deletes none: ext4 takes its time to pass over inodes that were
 * deleted in the last five minutes (`recently_deleted`), and the next creations took 1.7 times as long.
 */
export const keepOnly = (data: string, kind: ItemKind, ids: ReadonlySet<string>, aside: string) => {
  const folder = join(data, folders[kind])
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.json') && !ids.has(basename(name, '.json')))
      renameSync(join(folder, name), join(aside, basename(name)))
}
