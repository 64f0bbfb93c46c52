import { sizeText } from '../../src/format.ts'
import { deleteItem, request } from './api.ts'
import { forgetItem, type Item, loadItems } from './items-local.ts'

type Kind = Item['kind']

/** An item of the list. */
export type Row = {
  kind: Kind
  name: string
  url: string
  /** Language of a paste, with its size in a list by size, or name of a short link; empty if the local list does not have it. */
  about: string
  /** Number of uses, and of those left. Times are ISO 8601. */
  uses?: number
  left?: number
  createdAt: string
  /** Only where the list is in the order of changes. */
  changedAt?: string
  expiresAt?: string
  /** @throws {Refusal} */
  erase: () => Promise<unknown>
}

/** What to list: every word of `q`, in the order that `sort` names. Both may be empty. */
export type Wanted = { kind: Kind; q: string; sort: string }

/** Some rows, and a function that loads the next ones. `isComplete` is false if the server still reads texts. */
export type ItemPage = { rows: Row[]; next?: () => Promise<ItemPage>; isComplete?: boolean }

const pageSize = 50

type OwnItem = {
  id: string
  createdAt: string
  changedAt?: string
  expiresAt?: string
  title?: string
  bytes?: number
  language?: string
  reads?: number
  readsLeft?: number
  pasteUrl?: string
  url?: string
  visits?: number
  visitsLeft?: number
  shortendUrl?: string
}

const aboutOf = (sort: string, { language = '', bytes = 0, shortendUrl }: OwnItem) => {
  if (shortendUrl !== undefined) return shortendUrl.split('/').at(-1) ?? ''
  return sort === 'size' ? `${language} · ${sizeText(bytes)}` : language
}

const ownRow = ({ kind, sort }: Wanted, key: string, item: OwnItem): Row => {
  const { id, createdAt, changedAt, expiresAt, title, pasteUrl = '', shortendUrl = '' } = item
  const path = `${kind === 'paste' ? 'pastes' : 'links'}/${id}`
  const erase = async () => {
    await request(path, { method: 'DELETE', headers: { key } })
    // The local list may contain it too; its deletion key starts with the id.
    forgetItem(({ deletionUrl }) => deletionUrl.includes(`=${id}`))
  }
  const uses = item.reads ?? item.visits
  const left = item.readsLeft ?? item.visitsLeft
  const own =
    kind === 'paste'
      ? { url: pasteUrl, name: title || 'Untitled paste' }
      : { url: shortendUrl, name: item.url ?? '' }
  return {
    ...{ kind, about: aboutOf(sort, item), createdAt, erase },
    ...own,
    ...(sort === 'changed' && changedAt && { changedAt }),
    ...(expiresAt && { expiresAt }),
    ...(uses !== undefined && { uses }),
    ...(left !== undefined && { left }),
  }
}

const uses = { paste: 'reads', link: 'visits' }

/** Items of a key. @throws {Refusal} */
export const ownPage = async (wanted: Wanted, key: string, after?: string): Promise<ItemPage> => {
  const { kind, q } = wanted
  const plural = kind === 'paste' ? 'pastes' : 'links'
  const sort = wanted.sort === 'uses' ? uses[kind] : wanted.sort
  const query = new URLSearchParams({
    limit: String(pageSize),
    ...(q && { q }),
    ...(sort && { sort }),
    ...(after && { after }),
  })
  const answer = await request(`${plural}?${query}`, { headers: { key } })
  const rows = answer[plural].map((item: OwnItem) => ownRow(wanted, key, item))
  const { isComplete } = answer
  return { rows, isComplete, ...(answer.after && { next: () => ownPage(wanted, key, answer.after) }) }
}

const localRow = ({ kind, name, url, deletionUrl, createdAt }: Item): Row => ({
  ...{ kind, url, createdAt },
  name: name || (kind === 'paste' ? 'Untitled paste' : url),
  about: kind === 'paste' ? '' : (url.split('/').at(-1) ?? ''),
  erase: async () => {
    await deleteItem(deletionUrl)
    forgetItem((item) => item.deletionUrl === deletionUrl)
  },
})

/** Without case and accents. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * Items of this browser, which has no texts: words are found in titles and addresses.
 * @param shown deletion addresses of the rows so far; an offset would shift when one is deleted
 */
export const localPage = async (wanted: Wanted, shown: readonly string[] = []): Promise<ItemPage> => {
  const words = plain(wanted.q).split(/\s+/)
  const items = loadItems().filter(
    ({ kind, name, url, deletionUrl }) =>
      kind === wanted.kind &&
      !shown.includes(deletionUrl) &&
      words.every((word) => plain(`${name} ${url}`).includes(word)),
  )
  const page = items.slice(0, pageSize)
  const all = [...shown, ...page.map(({ deletionUrl }) => deletionUrl)]
  return { rows: page.map(localRow), ...(items.length > pageSize && { next: () => localPage(wanted, all) }) }
}
