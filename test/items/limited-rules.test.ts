import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredPaste } from '../../src/items/paste.ts'
import { afterUse, isBurning, isIdOf, pasteCheck, usesLeft } from '../../src/services/items.ts'
import { createPastes } from '../../src/services/pastes.ts'
import { openLinks, testIds } from '../support/links.ts'
import { filesIn, refusalOf } from '../support/store.ts'

const body = { text: 'a-secret-text', title: '', description: '', language: 'text' }

const openItems = async () => {
  const opened = await openLinks({ startAt: 1000 })
  const { path, items, links, idsOf } = opened
  const counts = { forget: () => {} }
  const pastes = createPastes({
    store: items.store<StoredPaste>('pastes', {
      check: pasteCheck,
      cacheBytes: 1_000_000,
      newId: () => testIds.itemId.paste(),
      isId: isIdOf('paste'),
    }),
    counts,
    ids: testIds,
    now: () => 1000,
    lifetimeOf: () => undefined,
    findLanguage: () => ({ id: 'text' }),
    detectLanguage: () => 'text',
    versions: { count: 10, bytes: 4096 },
    maxBytes: 1000,
  })
  return { path, pastes, links, idsOf, close: opened.close }
}

describe('an item', () => {
  test('is limited when something of its limit is left', () => {
    for (const limited of [{ readsLeft: 1 }, { visitsLeft: 2 }]) expect(isBurning(limited)).toBe(true)
    expect(isBurning({})).toBe(false)
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

describe.each([1, 3])('of 200 who consume at once where %i are left', (limit) => {
  test('as many read the paste; the others are told that it is gone, and its text is erased', async () => {
    const { pastes, path, close } = await openItems()
    const { item } = await pastes.create({ ...body, maxReads: limit }, 'a')
    const answers = await Promise.allSettled(Array.from({ length: 200 }, () => pastes.consume(item.id)))
    const read = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    expect(read.map((paste) => paste?.readsLeft)).toEqual(
      Array.from({ length: limit }, (_, at) => limit - at),
    )
    expect(new Set(read.map((paste) => paste?.text))).toEqual(new Set(['a-secret-text']))
    for (const answer of answers.slice(limit)) expect(answer).toMatchObject({ reason: { kind: 'gone' } })
    expect(filesIn(path).filter((file) => readFileSync(file).includes('a-secret-text'))).toEqual([])
    await close()
  })

  test('as many follow the link, and it is listed no more', async () => {
    const { links, idsOf, close } = await openItems()
    const { item } = await links.create({ url: 'http://nas/', maxVisits: limit }, 'a', () => false)
    expect(await idsOf(200, 'a')).toEqual([item.id])
    const answers = await Promise.allSettled(Array.from({ length: 200 }, () => links.consume(item.id)))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(limit)
    expect(await refusalOf(links.consume(item.id))).toMatchObject({ kind: 'gone' })
    expect(await idsOf(200, 'a')).toEqual([])
    await close()
  })
})

describe('consuming', () => {
  test('and deleting at the same moment have one outcome', async () => {
    const { pastes, close } = await openItems()
    for (let round = 0; round < 30; round++) {
      const { item, deletionKey = '' } = await pastes.create({ ...body, maxReads: 1 }, 'a')
      const both = [() => pastes.consume(item.id), () => pastes.delete(deletionKey)]
      if (round % 2) both.reverse()
      const ends = await Promise.allSettled(both.map((act) => act()))
      expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    }
    await close()
  })

  test('takes nothing from an item that does not burn, and says so', async () => {
    const { pastes, path, close } = await openItems()
    const { item } = await pastes.create(body, 'a')
    const files = () => filesIn(join(path, 'pastes')).map((file) => readFileSync(file, 'utf8'))
    const before = files()
    expect(await pastes.consume(item.id)).toBeUndefined()
    expect(files()).toEqual(before)
    await close()
  })

  test('knows ids as reading does: in capitals, unknown, or none at all', async () => {
    const { pastes, close } = await openItems()
    const { item } = await pastes.create({ ...body, maxReads: 2 }, 'a')
    expect(await pastes.consume(item.id.toUpperCase())).toMatchObject({ id: item.id, readsLeft: 2 })
    for (const id of ['2222222222', 'a', '../../keys']) {
      expect(await refusalOf(pastes.consume(id))).toMatchObject({ kind: 'not-found' })
    }
    await close()
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
    await close()
  })
})
