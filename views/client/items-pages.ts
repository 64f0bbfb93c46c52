import { deleteItem, request } from './api.ts'
import { forgetItem, type Item, loadItems } from './items-local.ts'

type Kind = Item['kind']

/** An item of the list. */
export type Row = {
  kind: Kind
  name: string
  url: string
  /** Language of a paste or name of a short link; empty if the local list does not have it. */
  about: string
  /** Number of uses, and of those left. Times are ISO 8601. */
  uses?: number
  left?: number
  createdAt: string
  expiresAt?: string
  /** @throws {Refusal} */
  erase: () => Promise<unknown>
}

/** Some rows, newest first, and a function that loads the next ones. */
export type ItemPage = { rows: Row[]; next?: () => Promise<ItemPage> }

const pageSize = 50

type OwnItem = {
  id: string
  createdAt: string
  expiresAt?: string
  title?: string
  language?: string
  reads?: number
  readsLeft?: number
  pasteUrl?: string
  url?: string
  visits?: number
  visitsLeft?: number
  shortendUrl?: string
}

const ownRow = (kind: Kind, key: string, item: OwnItem): Row => {
  const { id, createdAt, expiresAt, title, language = '', pasteUrl = '', shortendUrl = '' } = item
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
  const about = kind === 'paste' ? language : (shortendUrl.split('/').at(-1) ?? '')
  return {
    ...{ kind, about, createdAt, erase },
    ...own,
    ...(expiresAt && { expiresAt }),
    ...(uses !== undefined && { uses }),
    ...(left !== undefined && { left }),
  }
}

/** Items of a key. @throws {Refusal} */
export const ownPage = async (kind: Kind, key: string, after?: string): Promise<ItemPage> => {
  const plural = kind === 'paste' ? 'pastes' : 'links'
  const query = new URLSearchParams({ limit: String(pageSize), ...(after && { after }) })
  const answer = await request(`${plural}?${query}`, { headers: { key } })
  const rows = answer[plural].map((item: OwnItem) => ownRow(kind, key, item))
  return { rows, ...(answer.after && { next: () => ownPage(kind, key, answer.after) }) }
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

/** Items of this browser. @param shown deletion addresses of the rows so far; an offset would shift when one is deleted */
export const localPage = async (kind: Kind, shown: readonly string[] = []): Promise<ItemPage> => {
  const items = loadItems().filter((item) => item.kind === kind && !shown.includes(item.deletionUrl))
  const page = items.slice(0, pageSize)
  const all = [...shown, ...page.map(({ deletionUrl }) => deletionUrl)]
  return { rows: page.map(localRow), ...(items.length > pageSize && { next: () => localPage(kind, all) }) }
}
