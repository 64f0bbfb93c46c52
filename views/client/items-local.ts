import { targetParts } from '../../src/format.ts'
import { untitled } from '../../src/items/name.ts'
import { announce, element } from './dom.ts'
import { type ItemPage, pageSize, type Wanted } from './item-list.ts'
import { saveAs } from './save-as.ts'
import { read, write } from './storage.ts'

/** An item that this browser created; stored only here. */
export type Item = {
  kind: 'paste' | 'link'
  name: string
  url: string
  deletionUrl: string
  createdAt: string
}

/** Says that the lists of My items may have changed; its script is a different one. */
export const itemsChanged = () => document.dispatchEvent(new Event('shortcrust:items'))

const isHttp = (value: unknown) => typeof value === 'string' && /^https?:\/\//i.test(value)

const isItem = (value: unknown): value is Item => {
  const { kind, name, url, deletionUrl, createdAt } = (value ?? {}) as Partial<Item>
  const isText = typeof name === 'string' && !Number.isNaN(Date.parse(String(createdAt)))
  return (kind === 'paste' || kind === 'link') && isText && isHttp(url) && isHttp(deletionUrl)
}

const parse = (json: string): Item[] | undefined => {
  try {
    const values: unknown = JSON.parse(json)
    return Array.isArray(values) && values.every(isItem) ? values : undefined
  } catch {
    return undefined
  }
}

export const loadItems = () => parse(read('items') ?? '[]') ?? []

const save = (items: readonly Item[]) => {
  if (!write('items', JSON.stringify(items)))
    announce('This browser cannot keep the list: its storage is off or full')
}

/** Adds a new item. */
export const keepItem = (item: Item) => {
  save([item, ...loadItems()])
  itemsChanged()
}

/** Takes a condition, not a name, because a name can be used again. @param isIt true for the item to remove */
export const forgetItem = (isIt: (item: Item) => boolean) => save(loadItems().filter((item) => !isIt(item)))

export const exportItems = () =>
  saveAs('shortcrust-items.json', JSON.stringify(loadItems(), null, 2), 'application/json')

export const importItems = async (file: File) => {
  const imported = parse(await file.text())
  if (!imported) return announce('This file is not an exported Shortcrust list')
  const known = new Set(loadItems().map(({ deletionUrl }) => deletionUrl))
  save([...loadItems(), ...imported.filter(({ deletionUrl }) => !known.has(deletionUrl))])
  announce(imported.length === 1 ? '1 item imported' : `${imported.length} items imported`)
}

/** Fills in the row that the page has for it. */
const localRow = ({ kind, name, url, deletionUrl, createdAt }: Item) => {
  const content = element<HTMLTemplateElement>('#local-item').content.cloneNode(true) as DocumentFragment
  const row = element('li', content)
  row.dataset.deletion = deletionUrl
  const [link, target] = [element<HTMLAnchorElement>('a', row), element('.item-target', row)]
  link.textContent = kind === 'paste' ? name || untitled : `/s/${url.split('/').at(-1)}`
  link.title = link.textContent
  link.href = url
  link.classList.toggle('short', kind === 'link')
  target.title = name
  for (const [at, part] of targetParts(name).entries())
    (target.children[at] as HTMLElement).textContent = part
  if (kind === 'paste' || name === '') target.remove()
  const time = element<HTMLTimeElement>('time', row)
  time.dateTime = createdAt
  time.textContent = new Date(createdAt).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
  return row
}

/** Without case and accents. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * Items of this browser, which has no texts: words are found in titles and addresses.
 * @param shown deletion addresses of the rows so far; an offset would shift when one is deleted
 */
export const localPage = async (wanted: Wanted, shown: readonly string[] = []): Promise<ItemPage> => {
  const words = plain(wanted.q).split(/\s+/)
  const kept = loadItems()
  const items = kept.filter(
    ({ kind, name, url, deletionUrl }) =>
      kind === wanted.kind &&
      !shown.includes(deletionUrl) &&
      words.every((word) => plain(`${name} ${url}`).includes(word)),
  )
  const page = items.slice(0, pageSize)
  const all = [...shown, ...page.map(({ deletionUrl }) => deletionUrl)]
  const countOf = (wantedKind: Item['kind']) => kept.filter(({ kind }) => kind === wantedKind).length
  return {
    rows: page.map(localRow),
    totals: { paste: countOf('paste'), link: countOf('link') },
    ...(items.length > pageSize && { next: () => localPage(wanted, all) }),
  }
}
