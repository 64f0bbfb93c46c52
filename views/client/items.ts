import { showAges } from './age.ts'
import { deleteItem, Refusal } from './api.ts'
import { enableCopyButtons } from './copy.ts'
import { announce, element } from './dom.ts'
import { read, write } from './storage.ts'

/** Something this browser created; known to nobody else. */
export type Item = {
  kind: 'paste' | 'link'
  name: string
  url: string
  deletionUrl: string
  createdAt: string
}

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

const load = () => parse(read('items') ?? '[]') ?? []

const save = (items: readonly Item[]) => {
  if (!write('items', JSON.stringify(items)))
    announce('This browser keeps no list: its storage is off or full')
  show()
}

export const remember = (item: Item) => save([item, ...load()])

/** By what is never the same for two items: a name can be taken again. */
const forget = ({ deletionUrl }: Item) => save(load().filter((item) => item.deletionUrl !== deletionUrl))

const remove = async (item: Item) => {
  try {
    await deleteItem(item.deletionUrl)
    announce('Deleted')
  } catch (error) {
    // 404: it was deleted elsewhere, so it has no place in the list either.
    if (!(error instanceof Refusal) || error.status !== 404) return announce((error as Error).message)
    announce('It was deleted already')
  }
  forget(item)
}

const row = (item: Item) => {
  const content = element<HTMLTemplateElement>('#item').content.cloneNode(true) as DocumentFragment
  const link = element<HTMLAnchorElement>('a', content)
  link.textContent = item.name || item.url
  link.href = item.url
  const time = element<HTMLTimeElement>('time', content)
  time.dateTime = item.createdAt
  time.textContent = new Date(item.createdAt).toLocaleString('en-GB')
  element('.kind', content).textContent = item.kind === 'paste' ? 'Paste' : 'Short link'
  element('[data-copy]', content).dataset.copy = item.url
  const button = element('.danger', content)
  button.addEventListener('click', () => {
    if (button.dataset.sure) return void remove(item)
    button.dataset.sure = 'yes'
    button.textContent = 'Really delete?'
  })
  showAges(content)
  enableCopyButtons(content)
  return content
}

const show = () => {
  const items = load()
  element('#items ul').replaceChildren(...items.map(row))
  element('#no-items').hidden = items.length > 0
}

const exportItems = () => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([JSON.stringify(load(), null, 2)], { type: 'application/json' }))
  link.download = 'shortcrust-items.json'
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}

const importItems = async (file: File) => {
  const imported = parse(await file.text())
  if (!imported) return announce('This file is no list that was exported here')
  const known = new Set(load().map(({ deletionUrl }) => deletionUrl))
  save([...load(), ...imported.filter(({ deletionUrl }) => !known.has(deletionUrl))])
  announce(`${imported.length} items imported`)
}

export const enableItems = () => {
  element('#export').addEventListener('click', exportItems)
  const input = element<HTMLInputElement>('#import')
  input.addEventListener('change', async () => {
    const [file] = input.files ?? []
    if (file) await importItems(file)
    input.value = ''
  })
  show()
}
