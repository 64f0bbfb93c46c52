import { join } from 'node:path'
import { testKey } from '../../test/support/process.ts'

export type Kind = 'paste' | 'link'

type ListedItem = { id: string; alias?: string }

/** Path of the file of an item. */
export const fileOf = (data: string, kind: Kind, id: string) =>
  join(data, `${kind}s`, id.slice(0, 2), `${id}.json`)

/** Goes through the list of what a key made, page after page. @returns the items and their ids, and the milliseconds of each page */
export const listAll = async (url: string, kind: Kind, key = testKey) => {
  const [items, times]: [ListedItem[], number[]] = [[], []]
  for (let after: string | null = ''; after !== null; ) {
    const began = performance.now()
    const query = after === '' ? '' : `&after=${after}`
    const response = await fetch(`${url}/${kind}s?limit=200${query}`, { headers: { key } })
    const page = (await response.json()) as Record<string, ListedItem[]> & { after: string | null }
    times.push(performance.now() - began)
    items.push(...(page[`${kind}s`] ?? []))
    after = page.after
  }
  return { items, ids: items.map(({ id }) => id), times }
}
