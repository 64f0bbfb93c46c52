import { announce } from './dom.ts'
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
    announce('This browser keeps no list: its storage is off or full')
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
