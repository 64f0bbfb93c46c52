import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { StoredLink } from '../../src/items/link.ts'
import type { StoredPaste } from '../../src/items/paste.ts'
import { isIdOf, linkCheck, pasteCheck } from '../../src/services/items.ts'
import { createLinks } from '../../src/services/links.ts'
import { createLifetimes } from '../../src/services/options.ts'
import { createPastes } from '../../src/services/pastes.ts'
import { type DataFolder, openDataFolder } from '../../src/store/folder/data-folder.ts'
import type { Collections } from '../../src/store/store.ts'
import { examplePaste } from '../support/client.ts'
import { testIds } from '../support/links.ts'
import { newPath, refusalOf } from '../support/store.ts'

const start = 1_700_000_000_000

describe.each(['paste', 'link'] as const)('a %s', (kind) => {
  let folder: DataFolder
  let items: Collections
  let now: number
  beforeEach(async () => {
    folder = await openDataFolder(newPath(), 'a test', () => {})
    now = start
    items = folder.items({ now: () => now, report: () => {}, onDamage: () => {} })
  })
  afterEach(async () => {
    await items.close()
    folder.close()
  })

  /** Without a cache, everything comes from the disk. */
  const open = (cacheBytes: number) => {
    const lifetimeOf = createLifetimes({ defaultMs: undefined, maxMs: undefined })
    const counts = { forget: () => {} }
    const versions = { count: 10, bytes: 4096 }
    const languages = { findLanguage: (id: string) => ({ id }), detectLanguage: () => 'text' }
    const parts = { ids: testIds, now: () => now, lifetimeOf, counts, versions }
    const rules = { cacheBytes, newId: () => testIds.itemId[kind](), isId: isIdOf(kind) }
    if (kind === 'link') {
      const store = items.store<StoredLink>('links', { ...rules, check: linkCheck })
      const links = createLinks({ ...parts, store })
      const create = (options: object, owner = 'me') =>
        links.create({ url: 'http://nas/', ...options }, owner, () => false)
      return { ...links, create }
    }
    const store = items.store<StoredPaste>('pastes', { ...rules, check: pasteCheck })
    const pastes = createPastes({ ...parts, store, ...languages, maxBytes: 1000 })
    const create = (options: object, owner = 'me') => pastes.create({ ...examplePaste, ...options }, owner)
    return { ...pastes, create }
  }

  describe.each([
    ['in memory', 1_000_000],
    ['on disk', 1],
  ])('%s', (_, bytes) => {
    test('is there until the instant, and from it on gone for readers and deletion links', async () => {
      const items = open(bytes)
      const { item, deletionKey = '' } = await items.create({ expiresIn: 1 })
      const gone = {
        kind: 'gone' as const,
        message: `This ${kind === 'link' ? 'short link' : 'paste'} has expired`,
      }
      expect(item.expiresAt).toBe(start + 1000)
      now = start + 999
      expect((await items.find(item.id)).id).toBe(item.id)
      expect((await items.findByDeletionKey(deletionKey)).id).toBe(item.id)
      expect(items.peek(item.id) === undefined).toBe(bytes === 1)
      now = start + 1000
      expect(items.peek(item.id)).toBeUndefined()
      expect(await refusalOf((async () => items.find(item.id))())).toEqual(gone)
      expect(await refusalOf(items.findByDeletionKey(deletionKey))).toEqual(gone)
      expect(await refusalOf(items.delete(deletionKey))).toEqual(gone)
      now = start - 1
      expect((await items.find(item.id)).id).toBe(item.id)
    })

    test.each([false, true])(
      'gives its alias back at the instant, to the key that made it alone, replace: %p',
      async (replace) => {
        const items = open(bytes)
        const alias = 'notes'
        const options = { alias, ...(replace && { replace }) }
        const { item } = await items.create({ expiresIn: 1, alias })
        now = start + 999
        expect((await items.find(alias)).id).toBe(item.id)
        const taken = await refusalOf(items.create({ alias }))
        expect(taken.kind).toBe('conflict')
        now = start + 1000
        expect(items.peek(alias)).toBeUndefined()
        expect((await refusalOf((async () => items.find(alias))())).kind).toBe('gone')
        expect(await refusalOf(items.create(options, 'somebody else'))).toEqual(taken)
        const again = await items.create(options)
        expect(again.deletionKey).toBeDefined()
        expect(again.item.id).not.toBe(item.id)
        expect((await items.find(alias)).id).toBe(again.item.id)
        expect(items.peek(alias) === undefined).toBe(bytes === 1)
      },
    )
  })
})
