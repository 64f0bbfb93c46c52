import { beginning, mark, type Search, type SearchQuery, wholeWord, wordsAsked } from '../words/tokens.ts'
import type { Db } from './db.ts'

const quoted = (lexeme: string) => `'${lexeme}'`

/** A single letter finds only a word of one letter, as it does in a folder. */
const beginningOf = (characters: readonly string[]) =>
  `${quoted(beginning(characters))}${characters.length > 1 ? ':*' : ''}`

/** No lexeme has a quote: words are letters and digits, marks are hexadecimal. */
const tsqueryOf = (words: readonly string[], { kind, owner, language }: SearchQuery) =>
  [
    quoted(owner === undefined ? mark(kind) : mark(kind, owner)),
    ...(language === undefined ? [] : [quoted(mark('', language))]),
    ...words.map((word) => `(${quoted(wholeWord(word))} | ${beginningOf([...word])})`),
  ].join(' & ')

/** As the indexes have them. The largest comes first. */
const sortKeys = {
  created: 'i.created',
  changed: 'coalesce(i.changed, i.created)',
  size: 'i.bytes',
  expires: `(-coalesce(i.expires, ${Number.MAX_SAFE_INTEGER}))`,
}

/** Of a list, how many items are read before all hits are. */
const walked = 200

/**
 * A page of the items with these words. The words of the first in the list are read: a common word fills a page. If it does
 * not, all hits come first: the planner would walk through the whole list, which took 1.9 s in place of 1 ms. The most used:
 * first those with a count, then the others, which the counts do not have.
 */
export const findText = (query: SearchQuery, words: readonly string[]) => {
  const { kind, owner, since, sort, after, count, now, language } = query
  const values: unknown[] = []
  const put = (value: unknown, type: string) => `$${values.push(value)}::${type}`
  const ofKind = `i.kind = ${put(kind, 'text')}`
  const where = [
    `${ofKind} AND i.state = 'l' AND (i.expires IS NULL OR i.expires > ${put(now, 'bigint')})`,
    ...(owner === undefined ? [] : [`i.owner = ${put(owner, 'text')}`]),
    ...(since === 0 ? [] : [`i.created >= ${put(since, 'bigint')}`]),
  ].join(' AND ')
  const [createdAt = '', id = ''] = after?.rank.split('.') ?? []
  const last = after && `${put(after.key, 'bigint')}, ${put(Number(createdAt), 'bigint')}, ${put(id, 'text')}`
  const limit = put(count, 'int')
  const inOrder = 'ORDER BY key DESC, created DESC, id DESC LIMIT'
  /** The first of these rows in the order of this key, of the columns of this table. */
  const page = (from: string, most: string, key: string, of = 'i', joined = '', also = 'true') =>
    `SELECT i.id, i.created, ${key} AS key FROM ${from} i ${joined} WHERE ${where} AND ${also}
     ${last ? `AND (${key}, ${of}.created, ${of}.id) < (${last})` : ''}
     ORDER BY ${key} DESC, ${of}.created DESC, ${of}.id DESC LIMIT ${most}`
  const counted = 'c.kind = i.kind AND c.owner = i.owner AND c.id = i.id'
  const list = (from: string, most: string) => {
    if (sort !== 'uses') return page(from, most, sortKeys[sort])
    const none = `NOT EXISTS (SELECT FROM counts c WHERE ${counted}) AND (SELECT count(*) FROM used) < ${most}`
    return `WITH used AS (${page(from, most, 'c.uses', 'c', `JOIN counts c ON ${counted}`)})
      SELECT * FROM used UNION ALL (${page(from, most, '0::bigint', 'i', '', none)}) ${inOrder} ${most}`
  }
  if (words.length === 0 && language === undefined) return { text: list('items', limit), values }
  const isFound = `@@ ${put(tsqueryOf(words, query), 'tsquery')}`
  const hits = `SELECT id, kind, owner, state, created, changed, expires, bytes FROM items i WHERE state = 'l' AND words ${isFound}`
  const isWalked = owner !== undefined || sort === 'created'
  const text = isWalked
    ? `WITH walk AS (${list('items', String(walked))}), near AS MATERIALIZED (
       SELECT * FROM walk w WHERE (SELECT words FROM items i WHERE ${ofKind} AND i.id = w.id) ${isFound} ${inOrder} ${limit}),
       hits AS MATERIALIZED (${hits} AND (SELECT count(*) FROM near) < ${limit})
       SELECT * FROM near WHERE (SELECT count(*) FROM near) = ${limit}
       UNION ALL (SELECT * FROM (${list('hits', limit)}) far) ${inOrder} ${limit}`
    : `WITH hits AS MATERIALIZED (${hits}) SELECT * FROM (${list('hits', limit)}) far`
  return { text, values }
}

/** Finds items by the words that the program makes of texts, as in a folder. */
export const createSearch =
  (db: Db): Search =>
  async (query) => {
    const words = wordsAsked(query.text)
    if (!words) return { found: undefined, isComplete: true }
    const { text, values } = findText(query, words)
    const rows = await db.query<{ id: string; created: number; key: number }>(text, values)
    const found = rows.map(({ id, created, key }) => ({
      id,
      createdAt: created,
      key,
      rank: `${created}.${id}`,
    }))
    return { found, isComplete: true }
  }
