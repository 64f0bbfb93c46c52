import { join } from 'node:path'
import { testKey } from '../../test/support/process.ts'

export type Kind = 'paste' | 'link'

/** Path of the file of an item. */
export const fileOf = (data: string, kind: Kind, id: string) =>
  join(data, `${kind}s`, id.slice(0, 2), `${id}.json`)

/** Goes through the list of what a key made, page after page. @returns ids, and the milliseconds of each page */
export const listAll = async (url: string, kind: Kind, key = testKey) => {
  const [ids, times]: [string[], number[]] = [[], []]
  for (let after: string | null = ''; after !== null; ) {
    const began = performance.now()
    const query = after === '' ? '' : `&after=${after}`
    const response = await fetch(`${url}/${kind}s?limit=200${query}`, { headers: { key } })
    const page = (await response.json()) as Record<string, { id: string }[]> & { after: string | null }
    times.push(performance.now() - began)
    ids.push(...(page[`${kind}s`] ?? []).map(({ id }) => id))
    after = page.after
  }
  return { ids, times }
}
