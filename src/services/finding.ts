import { AppError, invalid } from '../errors.ts'
import type { ItemKind } from '../items/ids.ts'
import type { Head, ItemStore, Owner, StoredItem } from '../store/store.ts'
import type { Hit, Search, Sort } from '../store/words/tokens.ts'
import type { Counts } from './counts.ts'

/** What to find. */
export type Wanted = {
  /** Every word of it must occur; empty for any text. */
  text: string
  /** The id of a language. */
  language?: string | undefined
  /** Created then or later, in milliseconds since the epoch. */
  since?: number | undefined
  sort: Sort
}

/** A page of what was found. `isComplete` is false while the server still reads texts, so there may be more. */
export type FoundPage<T> = { items: readonly Head<T>[]; after: string | undefined; isComplete: boolean }

export type FindingParts<T extends StoredItem> = {
  kind: ItemKind
  store: Pick<ItemStore<T>, 'heads'>
  search: Search
  counts: Pick<Counts, 'flush'>
  /** Milliseconds since the epoch. */
  now: () => number
}

const encodeCursor = (sort: Sort, { key, rank }: Hit) =>
  Buffer.from(`${sort} ${key} ${rank}`).toString('base64url')

const decodeCursor = (sort: Sort, cursor: string) => {
  const [, of, key, rank = ''] =
    /^([a-z]+) (-?\d{1,16}) (\d{1,16}(?:\.[0-9a-z]{1,13})?)$/.exec(
      Buffer.from(cursor, 'base64url').toString('latin1'),
    ) ?? []
  if (of === sort) return { key: Number(key), rank }
  throw invalid('"after" must be the "after" of the previous page, in the same order')
}

const unavailable = (cause: unknown) =>
  new AppError('storage-unavailable', 'Search is not available right now. Try again later.', {}, { cause })

/** Finds items of an owner, or of all. */
export const createFinding = <T extends StoredItem>({
  kind,
  store,
  search,
  counts,
  now,
}: FindingParts<T>) => {
  /** The words say where to look; only documents say what is there. */
  const confirmed = async (owner: Owner, found: readonly Hit[]) => {
    const heads = new Map((await store.heads(found)).map((head) => [head.id, head]))
    return found.flatMap((place) => {
      const head = heads.get(place.id)
      return head && (owner === undefined || head.owner === owner) ? [{ place, head }] : []
    })
  }

  /** @throws {AppError} `invalid` for a text without a word, or a cursor of another order; storage errors */
  return async (owner: Owner, wanted: Wanted, limit: number, cursor?: string): Promise<FoundPage<T>> => {
    const { text, language, since = 0, sort } = wanted
    const query = { kind: `${kind}s`, owner, text, language, since, sort, now: now() }
    const pairs: { place: Hit; head: Head<T> }[] = []
    let after = cursor === undefined ? undefined : decodeCursor(sort, cursor)
    // The order is that of the counts that the page shows.
    if (sort === 'uses') await counts.flush()
    for (;;) {
      const count = limit + 1 - pairs.length
      const { found, isComplete } = await search({ ...query, after, count }).catch((error) => {
        throw unavailable(error)
      })
      if (found === undefined) {
        const rule = 'must have a letter or a digit, and at most 32 words'
        throw invalid(`"q" ${rule}`, { field: 'q', message: `The search ${rule}.` })
      }
      pairs.push(...(await confirmed(owner, found)))
      after = found.at(-1)
      if (pairs.length <= limit && found.length === count) continue
      const page = pairs.slice(0, limit)
      const last = pairs.length > limit ? page.at(-1) : undefined
      return {
        items: page.map(({ head }) => head),
        after: last && encodeCursor(sort, last.place),
        isComplete,
      }
    }
  }
}
export type Finding<T extends StoredItem> = ReturnType<typeof createFinding<T>>
