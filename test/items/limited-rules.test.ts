import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createIds } from '../../src/items/ids.ts'
import { afterUse, isLimited, usesLeft } from '../../src/items/uses.ts'
import { linkCheck, pasteCheck } from '../../src/services/collections.ts'
import { createLifetimes } from '../../src/services/expiry.ts'
import { createLinks } from '../../src/services/links.ts'
import { createPastes } from '../../src/services/pastes.ts'
import { openDataFolder } from '../../src/store/folder/data-folder.ts'
import { filesIn, newPath, refusalOf } from '../support/store.ts'

const body = { text: 'a-secret-text', title: '', description: '', language: 'text' }

const openItems = async () => {
  const path = newPath()
  const folder = await openDataFolder(path, 'a test', () => {})
  const ids = createIds((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
  const lifetimeOf = createLifetimes({ defaultMs: undefined, maxMs: undefined })
  const listRemovals: string[] = []
  const ownerList = {
    during: (_: object, write: () => Promise<void>) => write(),
    remove: async ({ id }: { id: string }) => {
      listRemovals.push(id)
    },
  }
  const parts = { ids, now: () => 1000, lifetimeOf, addExpiry: async () => {}, ownerList }
  return {
    path,
    listRemovals,
    close: folder.close,
    pastes: createPastes({
      ...parts,
      aliases: folder.aliases('pastes'),
      collection: folder.collection('pastes', pasteCheck, 1_000_000),
      findLanguage: () => ({ id: 'text' }),
      maxBytes: 1000,
    }),
    links: createLinks({
      ...parts,
      aliases: folder.aliases('links'),
      collection: folder.collection('links', linkCheck, 1_000_000),
    }),
  }
}

describe('an item', () => {
  test('is limited when something of its limit is left', () => {
    for (const limited of [{ readsLeft: 1 }, { visitsLeft: 2 }]) expect(isLimited(limited)).toBe(true)
    expect(isLimited({})).toBe(false)
    expect([{ readsLeft: 1 }, { visitsLeft: 2 }, {}].map(usesLeft)).toEqual([1, 2, undefined])
  })

  test('loses one use at a time, and goes with the last', () => {
    expect(afterUse({ readsLeft: 1_000_000 })).toEqual({ readsLeft: 999_999 })
    expect(afterUse({ visitsLeft: 2 })).toEqual({ visitsLeft: 1 })
    expect(afterUse({ readsLeft: 1 })).toBe('erase')
    expect(afterUse({ visitsLeft: 1 })).toBe('erase')
    expect(afterUse({})).toBeUndefined()
  })
})

describe.each([1, 3])('of 200 who spend at once where %i are left', (limit) => {
  test('as many read the paste; the others are told that it is gone, and its text is erased', async () => {
    const { pastes, path, close } = await openItems()
    const { item } = await pastes.create({ ...body, maxReads: limit }, 'a')
    const answers = await Promise.allSettled(Array.from({ length: 200 }, () => pastes.spend(item.id)))
    const read = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    expect(read.map((paste) => paste?.readsLeft)).toEqual(
      Array.from({ length: limit }, (_, at) => limit - at),
    )
    expect(new Set(read.map((paste) => paste?.text))).toEqual(new Set(['a-secret-text']))
    for (const answer of answers.slice(limit)) expect(answer).toMatchObject({ reason: { kind: 'gone' } })
    expect(filesIn(path).filter((file) => readFileSync(file).includes('a-secret-text'))).toEqual([])
    close()
  })

  test('as many follow the link, and it is listed no more', async () => {
    const { links, listRemovals, close } = await openItems()
    const { item } = await links.create({ url: 'http://nas/', maxVisits: limit }, 'a', () => false)
    const answers = await Promise.allSettled(Array.from({ length: 200 }, () => links.spend(item.id)))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(limit)
    expect(await refusalOf(links.spend(item.id))).toMatchObject({ kind: 'gone' })
    expect(listRemovals).toEqual([item.id])
    close()
  })
})

describe('spending', () => {
  test('and deleting at the same moment have one outcome', async () => {
    const { pastes, close } = await openItems()
    for (let round = 0; round < 30; round++) {
      const { item, deletionKey } = await pastes.create({ ...body, maxReads: 1 }, 'a')
      const both = [() => pastes.spend(item.id), () => pastes.delete(deletionKey)]
      if (round % 2) both.reverse()
      const ends = await Promise.allSettled(both.map((act) => act()))
      expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    }
    close()
  })

  test('takes nothing from an item that is not limited, and says so', async () => {
    const { pastes, path, close } = await openItems()
    const { item } = await pastes.create(body, 'a')
    const files = () => filesIn(path).map((file) => readFileSync(file, 'utf8'))
    const before = files()
    expect(await pastes.spend(item.id)).toBeUndefined()
    expect(files()).toEqual(before)
    close()
  })

  test('knows ids as reading does: in capitals, unknown, or none at all', async () => {
    const { pastes, close } = await openItems()
    const { item } = await pastes.create({ ...body, maxReads: 2 }, 'a')
    expect(await pastes.spend(item.id.toUpperCase())).toMatchObject({ id: item.id, readsLeft: 2 })
    for (const id of ['2222222222', 'a', '../../keys']) {
      expect(await refusalOf(pastes.spend(id))).toMatchObject({ kind: 'not-found' })
    }
    close()
  })

  test('leaves nothing for the hot lane to find', async () => {
    const { pastes, links, close } = await openItems()
    const { item: paste } = await pastes.create({ ...body, maxReads: 2 }, 'a')
    const { item: link } = await links.create({ url: 'http://nas/', maxVisits: 2 }, 'a', () => false)
    const { item: open } = await pastes.create(body, 'a')
    expect([pastes.peek(paste.id), links.peek(link.id), pastes.peek(open.id)]).toEqual([
      undefined,
      undefined,
      open,
    ])
    close()
  })
})
