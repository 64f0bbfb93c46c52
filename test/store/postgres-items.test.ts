import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { StoredPaste } from '../../src/items/paste.ts'
import { isIdOf, pasteCheck } from '../../src/services/items.ts'
import { type Db, openDb } from '../../src/store/postgres/db.ts'
import { openItems } from '../../src/store/postgres/items.ts'
import { findText } from '../../src/store/postgres/search.ts'
import { openPostgres } from '../../src/store/postgres/storage.ts'
import type { SearchQuery, Sort } from '../../src/store/words/tokens.ts'
import { testIds } from '../support/links.ts'
import { openPastes } from '../support/pastes.ts'
import { hasPostgres, type sharedPostgres, startPostgres } from '../support/postgres.ts'

const kind = 'pastes'
const rules = { check: pasteCheck, cacheBytes: 1_000_000, isId: isIdOf('paste') }
const draft = (more: Partial<StoredPaste> = {}): Omit<StoredPaste, 'id'> => ({
  ...{ owner: 'ann', createdAt: Date.now(), deletionHash: '0'.repeat(64) },
  ...{ text: 'a text', title: 'a title', description: '', language: 'text', ...more },
})

let postgres: Awaited<ReturnType<typeof sharedPostgres>>
let url: string
/** Two processes, as far as the database can tell. */
let dbs: [Db, Db]
beforeAll(async () => {
  if (!hasPostgres) return
  postgres = await startPostgres()
  url = postgres.database('items')
  const open = () => openDb({ url })
  dbs = [await open(), await open()]
})
afterAll(async () => {
  for (const db of dbs ?? []) await db.close()
})

/** The pastes of a process. @param ids those that its next items get */
const open = (process: 0 | 1 = 0, ids: string[] = []) =>
  openItems<StoredPaste>({
    ...{ ...rules, kind, now: Date.now, db: dbs[process] },
    newId: () => ids.shift() ?? testIds.itemId.paste(),
  })
const both = () => [open(0), open(1)] as const

const make = async (more: Partial<StoredPaste> = {}, store = open()) => {
  const made = await store.create(draft(more))
  if (made === 'taken') throw new Error('the name is taken')
  return made
}
const next = (item: StoredPaste, more: Partial<StoredPaste>): StoredPaste => ({
  ...{ ...item, version: (item.version ?? 1) + 1, changedAt: Date.now() },
  ...more,
})
const asEarlier = ({ version = 1, createdAt, text, earlier = [] }: StoredPaste) => [
  ...earlier,
  { version, changedAt: createdAt, bytes: text.length },
]
const count = (from: string) => Number(postgres.psql(`SET search_path = items; SELECT count(*) FROM ${from}`))
const times = <T>(n: number, make: (at: number) => T) => Array.from({ length: n }, (_, at) => make(at))

describe.if(hasPostgres)('an item in a database', () => {
  test('comes back as it was stored, by its id and by its name', async () => {
    const texts = ['\0\n', 'a\0b', '\x01a\0\x01b\x01\x01a', '\r\n\t', '﻿ä😀', "'\\'", '{"a":"\\u0000"}', ' ']
    for (const [at, text] of texts.entries()) {
      const item = await make({ text, title: text, description: '\\u0000', alias: `same-${at}` })
      for (const store of both()) {
        expect(await store.load(item.id)).toEqual(item)
        expect(await store.loadNamed(`same-${at}`)).toEqual(item)
      }
    }
  })

  test('does not travel again while it is the same, and is another one once it was changed elsewhere', async () => {
    const [here, there] = both()
    const item = await make({ alias: 'same' })
    const first = await here.loadNamed('same')
    expect(await here.loadNamed('same')).toBe(first as StoredPaste)
    expect(await there.replace(item, next(item, { text: 'another' }))).toBe(true)
    expect(await here.loadNamed('same')).toMatchObject({ text: 'another', version: 2 })
    expect(here.peek('same')).toBeUndefined()
  })

  test('that is gone stays gone, with its name, whose owner alone may use it again', async () => {
    const item = await make({ alias: 'gone' })
    const [here, there] = both()
    await here.load(item.id)
    expect(await there.erase(item)).toBe(true)
    expect(await there.erase(item)).toBe(false)
    for (const store of [here, there]) {
      expect(await store.load(item.id)).toBe('gone')
      expect(await store.loadNamed('gone')).toBe('gone')
    }
    expect(await here.create(draft({ alias: 'gone', owner: 'bob' }))).toBe('taken')
    const again = await make({ alias: 'gone', text: 'again' })
    expect(await there.loadNamed('gone')).toEqual(again)
    expect(await there.loadNamed('never')).toBeUndefined()
  })

  test('leaves its name to its owner when it expires, also before it is erased', async () => {
    const expired = await make({ alias: 'late', expiresAt: Date.now() - 1 })
    expect(await open(1).create(draft({ alias: 'late', owner: 'bob' }))).toBe('taken')
    const item = await make({ alias: 'late' })
    const [row] = (await open().due(1000)).filter(({ id }) => id === expired.id)
    expect(row).toMatchObject({ kind, owner: 'ann', version: 1, bytes: 6, kept: 0, keptBytes: 0 })
    expect(await open().eraseDue(row as NonNullable<typeof row>)).toBe(true)
    expect(await open().loadNamed('late')).toEqual(item)
  })

  test('is erased by one sweep of many, and by none if it was changed meanwhile', async () => {
    const [item, later] = [
      await make({ expiresAt: Date.now() - 1 }),
      await make({ expiresAt: Date.now() - 1 }),
    ]
    const rows = await open().due(1000)
    expect(await open().replace(later, { ...later, expiresAt: Date.now() + 60_000 })).toBe(true)
    const erased = await Promise.all(
      times(10, (at) => open((at % 2) as 0 | 1)).flatMap((store) => rows.map(store.eraseDue)),
    )
    expect(erased.filter(Boolean)).toHaveLength(rows.length - 1)
    expect(await open().load(item.id)).toBe('gone')
    expect(await open().load(later.id)).toMatchObject({ id: later.id })
  })
})

describe.if(hasPostgres)('of many requests at two processes', () => {
  test('one alone gets a name, and the others leave nothing behind', async () => {
    const before = count(`items WHERE state = 'l'`)
    for (let round = 0; round < 20; round++) {
      // Every second name has the shape of an id.
      const alias = round % 2 ? `cantest${String.fromCharCode(97 + round)}2z` : `contest-${round}`
      const made = await Promise.all(
        times(30, (at) =>
          open((at % 2) as 0 | 1).create(draft({ alias, owner: round % 3 ? 'ann' : `owner${at}` })),
        ),
      )
      const [winner, ...others] = made.filter((one) => one !== 'taken')
      expect(others).toEqual([])
      expect(await open().loadNamed(alias)).toEqual(winner)
    }
    expect(count(`items WHERE state = 'l'`) - before).toBe(20)
  })

  test('one alone gets the letters that are an id here and a name there', async () => {
    for (let round = 0; round < 20; round++) {
      const letters = testIds.itemId.paste()
      const [withId, withName] = await Promise.all([
        open(0, [letters]).create(draft()),
        open(1).create(draft({ alias: letters })),
      ])
      const isNamed = withName !== 'taken'
      expect((withId as StoredPaste).id === letters).toBe(!isNamed)
      expect(await open().loadNamed(letters)).toEqual(isNamed ? withName : (withId as StoredPaste))
    }
  })

  test('as many read a paste that burns as it has reads', async () => {
    const item = await make({ readsLeft: 20, maxReads: 20 })
    const consume = async (store: ReturnType<typeof open>): Promise<number | undefined> => {
      const seen = await store.load(item.id)
      if (typeof seen !== 'object') return undefined
      const left = seen.readsLeft ?? 0
      const isDone =
        left > 1 ? await store.replace(seen, { ...seen, readsLeft: left - 1 }) : await store.erase(seen, true)
      return isDone ? left : consume(store)
    }
    const reads = await Promise.all(times(40, (at) => consume(open((at % 2) as 0 | 1))))
    const left = reads.filter((one) => one !== undefined)
    expect(left.sort((a, b) => a - b)).toEqual(times(20, (at) => at + 1))
    expect(await open().load(item.id)).toBe('gone')
  })

  test('one alone changes what all of them saw, and the versions are those that were kept', async () => {
    let item = await make({ text: 'version 1' })
    for (let round = 0; round < 10; round++) {
      const changes = times(20, (at) =>
        next(item, { text: `${round} by ${at}`, earlier: asEarlier(item).slice(-3) }),
      )
      const won = await Promise.all(
        changes.map((change, at) => open((at % 2) as 0 | 1).replace(item, change)),
      )
      expect(won.filter(Boolean)).toHaveLength(1)
      item = (await open().load(item.id)) as StoredPaste
      expect(item).toEqual(changes[won.indexOf(true)] as StoredPaste)
    }
    const kept = await Promise.all(times(11, (at) => open().loadEarlier(item.id, at + 1)))
    expect(kept.map((one) => one?.version ?? (one ? 1 : undefined))).toEqual([
      ...times(7, () => undefined),
      8,
      9,
      10,
      undefined,
    ])
    expect(await open().removeEarlier(item)).toBe(true)
    expect(await open().removeEarlier(item)).toBe(false)
    expect(count(`versions WHERE id = '${item.id}'`)).toBe(0)
    expect(await open().loadEarlier(item.id, 10)).toBeUndefined()
    expect((await open().load(item.id)) as StoredPaste).not.toHaveProperty('earlier')
  })

  test('who erases an item erases all versions of it, also those that others write meanwhile', async () => {
    const items = await Promise.all(times(40, () => make()))
    const change = async (item: StoredPaste, store: ReturnType<typeof open>) => {
      for (let turn = 0; turn < 5; turn++) {
        const seen = await store.load(item.id)
        if (typeof seen !== 'object') return
        await store.replace(seen, next(seen, { text: `turn ${turn}`, earlier: asEarlier(seen) }))
      }
    }
    await Promise.all(
      items.flatMap((item, at) => [
        change(item, open(0)),
        change(item, open(1)),
        (async () => {
          for (let turn = 0; turn < at % 5; turn++) await open().load(item.id)
          expect(await open(1).erase(item)).toBe(true)
        })(),
      ]),
    )
    expect(count(`items i JOIN versions v USING (kind, id) WHERE i.state = 'g'`)).toBe(0)
    expect(count(`items WHERE state = 'g' AND (text IS NOT NULL OR words IS NOT NULL)`)).toBe(0)
    // All that was created and erased at once up to here is counted.
    expect(await open().count(undefined)).toBe(count(`items WHERE kind = '${kind}' AND state = 'l'`))
    expect(await open().count('ann')).toBe(
      count(`items WHERE kind = '${kind}' AND state = 'l' AND owner = 'ann'`),
    )
  })
})

describe.if(hasPostgres)('a list', () => {
  test('is read page by page, newest first, without what has gone or expired', async () => {
    const store = open()
    const createdAt = Date.now()
    const made = await Promise.all(
      times(25, (at) => make({ owner: 'lister', createdAt: createdAt + (at % 5) })),
    )
    await store.erase(made[3] as StoredPaste)
    await make({ owner: 'lister', expiresAt: Date.now() - 1 })
    const left = made.filter((_, at) => at !== 3)
    const sorted = left
      .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id)
    const listed: string[] = []
    for (
      let page = await store.list('lister', 7);
      page.length;
      page = await store.list('lister', 7, page.at(-1))
    )
      listed.push(...page.map(({ id }) => id))
    expect(listed).toEqual(sorted)
    expect((await store.list(undefined, 1000)).map(({ id }) => id)).toEqual(expect.arrayContaining(sorted))
    expect((await store.list('lister', 1))[0]).toMatchObject({ bytes: 6, name: 'a title' })
    expect((await store.heads([...left, { id: 'none', createdAt }])).map(({ id }) => id)).toEqual(
      left.map(({ id }) => id),
    )
    expect(await store.count('nobody')).toBe(0)
  })
})

const vocabulary = [
  ...[
    'Café',
    'cafe',
    'naïve',
    'STRASSE',
    'straße',
    'ὈΔΥΣΣΕΎΣ',
    'Ωmega',
    'foo-bar',
    'foo_bar',
    'a',
    'I',
    'x1',
    '3.14',
  ],
  ...[
    '-5',
    'http://example.org/path?q=1',
    'user@host.tld',
    'v1.2.3',
    '東京タワー',
    '京都',
    'Hello世界',
    'привет',
    'Ёлка',
  ],
  ...[
    'İstanbul',
    'ﬁle',
    'élan',
    "l'été",
    'C++',
    "don't",
    'back\\slash',
    'quo"te',
    'antidisestablishmentarianism',
  ],
  ...[
    'antidisestablishmentarians',
    'z'.repeat(60),
    `${'z'.repeat(59)}y`,
    '한국어',
    '①②',
    'x²',
    'error',
    'the',
    'of',
  ],
  ...['log', 'config', 'the:*', "o'neil & | !", '§', '¶er'],
]
const sorts: readonly Sort[] = ['created', 'changed', 'size', 'uses', 'expires']

describe.if(hasPostgres)('a search', () => {
  const pick = <T>(list: readonly T[]) => list[Math.floor(Math.random() * list.length)] as T
  const some = (most: number) => times(Math.floor(Math.random() * most), () => pick(vocabulary)).join(' ')
  const asked = () => {
    const word = pick(vocabulary)
    return Math.random() < 0.4
      ? [...word].slice(0, 1 + Math.floor(Math.random() * 6)).join('')
      : word.toUpperCase()
  }

  test('finds in a database what it finds in a folder, in the same order, page by page', async () => {
    const folder = await openPastes()
    const db = (await openDb({
      url: postgres.database('search'),
    })) as Db
    const ids: string[] = []
    const store = openItems<StoredPaste>({
      ...{ ...rules, kind, db, now: Date.now },
      newId: () => ids.shift() ?? '',
    })
    const storage = await openPostgres({
      url: postgres.database('search'),
    })
    const { search } = storage.items({ now: Date.now, report: () => {}, onDamage: () => {} })
    const used: { kind: 'paste'; id: string; by: number }[] = []
    for (let at = 0; at < 200; at++) {
      const more: Partial<StoredPaste> = {
        // Ties have no order that both know: a folder numbers them as they come.
        ...{
          createdAt: 1_700_000_000_000 + at,
          owner: pick(['ann', "o'ne & l"]),
          title: some(3),
          language: pick(['text', 'yaml']),
        },
        ...(at % 4 === 0 && { expiresAt: Date.now() + 1e6 + (at % 12) }),
        ...(at % 9 === 0 && { readsLeft: 2, maxReads: 2 }),
        ...(at % 5 === 0 && { changedAt: 1_700_000_000_000 + (at % 40), version: 2 }),
      }
      const item = await folder.add(`${some(9)}.`, more)
      ids.push(item.id)
      await store.create(item)
      if (at % 3 === 0) used.push({ kind: 'paste', id: item.id, by: 1 + (at % 7) })
    }
    for (const { id, by } of used) folder.counted.set(id, by)
    folder.items.used(used.map(({ id }) => ({ kind, id })))
    await storage.counts().write(used, new Map())
    let hits = 0
    for (let n = 0; n < 300; n++) {
      const query: SearchQuery = {
        ...{
          kind,
          owner: pick(['ann', "o'ne & l", undefined]),
          language: n % 5 ? undefined : 'yaml',
          now: Date.now(),
        },
        ...{ text: n % 10 ? times(1 + (n % 3), asked).join(' ') : '', since: n % 7 ? 0 : 1_700_000_000_100 },
        ...{ sort: sorts[n % 5] as Sort, count: 7 + (n % 60) },
      }
      const found: string[] = []
      let page: Awaited<ReturnType<typeof search>>
      let after: SearchQuery['after']
      do {
        page = await search({ ...query, after })
        found.push(...(page.found ?? []).map(({ id }) => id))
        after = page.found?.at(-1)
      } while (page.found?.length === query.count)
      hits += found.length
      const expected = await folder.find(query.text, { ...query, count: 1000 })
      expect([query.text, query.sort, query.owner, page.found && found]).toEqual([
        query.text,
        query.sort,
        query.owner,
        expected,
      ])
    }
    expect(hits).toBeGreaterThan(1000)
    await folder.stop()
    await db.close()
    await storage.close()
  }, 300_000)

  const find = async (text: string) => {
    const storage = await openPostgres({ url })
    const { search } = storage.items({ now: Date.now, report: () => {}, onDamage: () => {} })
    const query = {
      kind,
      owner: undefined,
      language: undefined,
      since: 0,
      sort: 'created',
      count: 10,
      now: Date.now(),
    } as const
    const { found } = await search({ ...query, text })
    await storage.close()
    return found?.map(({ id }) => id)
  }

  test('finds words that are longer than a lexeme, and takes a text of more words than a tsvector holds', async () => {
    const word = 'w'.repeat(5000)
    const item = await make({
      text: `${word} ${times(200_000, (at) => `n${at.toString(36)}`)
        .join(' ')
        .slice(0, 1_000_000)}`,
    })
    expect(await find(word)).toEqual([item.id])
    expect(await find(`${word}w`)).toEqual([])
    expect(await find('n1')).toEqual([item.id])
  })

  test('reads the words first, and not the words of each item in a list', async () => {
    postgres.psql(`SET search_path = items;
      INSERT INTO items (kind, id, state, owner, created, words)
      SELECT 'pastes', 'plan' || n, 'l', 'planner', n, array_to_tsvector(ARRAY['§' || encode('pastes/planner', 'hex'), 'all', 'w' || n])
      FROM generate_series(1, 20000) n`)
    postgres.psql('VACUUM ANALYZE items.items')
    const query = {
      kind,
      owner: 'planner',
      language: undefined,
      since: 0,
      sort: 'created',
      count: 20,
      now: Date.now(),
    } as const
    const planOf = async (word: string) => {
      const { text, values } = findText({ ...query, text: word }, [word])
      const rows = await dbs[0].query<Record<string, string>>(`EXPLAIN ${text}`, values)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    expect(await planOf('w7')).toContain('items_words')
    // A list is walked for its first items, and their words are looked up.
    expect(await planOf('all')).not.toMatch(/items_(owner|created).*\n[^>]*words/)
  })
})
