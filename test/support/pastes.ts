import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredPaste } from '../../src/items/paste.ts'
import { isIdOf, pasteCheck } from '../../src/services/items.ts'
import { openDataFolder } from '../../src/store/folder/data-folder.ts'
import type { SearchQuery } from '../../src/store/words/tokens.ts'
import { testIds } from './links.ts'
import { newPath } from './store.ts'

/** Pastes of one key in a data folder, and their words. */
export const openPastes = async ({ path = newPath(), boot = 'boot-1', restMs = 30_000 } = {}) => {
  const reports: string[] = []
  /** How often each id was used. */
  const counted = new Map<string, number>()
  const folder = await openDataFolder(path, 'a test', () => {})
  const items = folder.items({
    ...{ boot, restMs },
    now: Date.now,
    uses: (_, ids) => ids.map((id) => counted.get(id) ?? 0),
    report: (_, event, fields) => reports.push(`${event} ${JSON.stringify(fields ?? {})}`),
    onDamage: ({ message }) => reports.push(message),
  })
  const store = items.store<StoredPaste>('pastes', {
    ...{ check: pasteCheck, cacheBytes: 1_000_000, newId: testIds.itemId.paste },
    isId: isIdOf('paste'),
  })
  items.start()
  const query = { kind: 'pastes', owner: 'ann', language: undefined, since: 0 } as const
  const search = (text: string, more: Partial<SearchQuery> = {}) =>
    items.search({ ...query, text, sort: 'created', count: 1000, now: Date.now(), ...more })
  return {
    path,
    store,
    items,
    search,
    reports,
    counted,
    file: join(path, 'words.sqlite'),
    add: async (text: string, more: Partial<StoredPaste> = {}) => {
      const fixed = { createdAt: Date.now(), owner: 'ann', deletionHash: '0'.repeat(64), language: 'text' }
      const item = await store.create({ ...fixed, title: '', description: '', text, ...more })
      if (item === 'taken') throw new Error('the name is taken')
      return item
    },
    /** Ids, newest first; waits until the words are complete. */
    find: async (text: string, more: Partial<SearchQuery> = {}) => {
      for (;;) {
        const found = await search(text, more)
        if (found.isComplete) return found.found?.map(({ id }) => id)
      }
    },
    /** Waits until the worker of the words has ended, which closes their file. */
    rested: async () => {
      while (existsSync(join(path, 'words.sqlite-wal'))) await Bun.sleep(5)
    },
    stop: async () => {
      await items.close()
      folder.close()
    },
  }
}
export type Pastes = Awaited<ReturnType<typeof openPastes>>
