import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Type from 'typebox'
import { compileCheck } from '../../src/items/check.ts'
import type { IndexEntry } from '../../src/store/derived/index-record.ts'
import { openOwnerIndex } from '../../src/store/derived/owner-index.ts'
import { openDataFolder } from '../../src/store/folder/data-folder.ts'
import { newPath } from './store.ts'

const Dated = Type.Object({ id: Type.String(), stamp: Type.Integer() })
const check = compileCheck(Dated)
const rules = {
  notes: { check, isId: (name: string) => /^[a-z0-9]{2,13}$/.test(name), isAlias: () => false },
}

/** The list of the one owner there is. */
export const list = '0123456789abcdef/notes'

const toListed = ({ id, stamp }: IndexEntry) => ({ list, entry: { id, stamp } })

/** A data folder of dated notes with its index; `boot` as the machine would tell. */
export const openDated = async ({ path = newPath(), boot = 'boot-1' } = {}) => {
  const reports: string[] = []
  const folder = await openDataFolder(path, 'a test', () => {})
  const index = await openOwnerIndex({
    folder: path,
    temporaryFolder: join(path, 'tmp'),
    rules,
    listedAs: (_, document) => toListed(document as IndexEntry),
    boot,
    report: (_, event, fields) => reports.push(`${event} ${JSON.stringify(fields ?? {})}`),
  })
  const notes = folder.collection('notes', check, 1_000_000)
  return {
    path,
    index,
    notes,
    reports,
    /** Where the list lies. */
    file: join(path, 'owners', list),
    stateFile: join(path, 'owners/state.json'),
    add: (id: string, stamp: number) =>
      notes.insert(
        () => id,
        () => ({ id, stamp }),
        (note, write) => index.during(toListed(note), write),
      ),
    erase: async (id: string, stamp: number) => {
      await notes.erase(id)
      await index.remove(toListed({ id, stamp }))
    },
    page: async (count: number, before?: IndexEntry) =>
      (await index.page(list, count, before)).map(({ id }) => id),
    /** Page after page, newest first. */
    all: async (count = 200) => {
      const found: string[] = []
      for (let before: IndexEntry | undefined; ; ) {
        const page = await index.page(list, count, before)
        found.push(...page.map(({ id }) => id))
        before = page.at(-1)
        if (page.length < count) return found
      }
    },
    stop: async () => {
      await index.close()
      folder.close()
    },
    /** Leaves the folder as a kill does: nobody has said that everything is in order. */
    die: async () => {
      const state = readFileSync(join(path, 'owners/state.json'))
      await index.close()
      writeFileSync(join(path, 'owners/state.json'), state)
      folder.close()
    },
  }
}
