import { exchange, request, requestText } from './api.ts'
import { controlsOf, fieldOf, fill, type Kind, typedIn } from './form.ts'

const query = new URLSearchParams(location.search)
/** The id or name of the item, as it is. */
export const plainName = query.get('edit') ?? ''
const name = encodeURIComponent(plainName)

export const kind: Kind = query.has('link') ? 'link' : 'paste'
export const noun = kind === 'link' ? 'short link' : 'paste'
/** What names the item among all. */
export const itemName = `${kind} ${name}`
/** The page of the item. */
export const pageOfItem = kind === 'link' ? `s/${name}+` : `p/${name}`

/** What an item or one of its versions holds, by names of the API. */
export type Content = Readonly<Record<string, string | number | undefined>>
export type Version = { version: number; changedAt: string; bytes: number }

const path = `${kind}s/${name}`
const init = (more: RequestInit = {}) => ({ ...more, headers: { key: typedIn('key'), ...more.headers } })

/** @returns the newest version, and its entity tag. @throws {Refusal} */
export const loadItem = async (): Promise<{ item: Content; tag: string }> => {
  const { answer, tag } = await exchange(path, init())
  return { item: answer[kind], tag }
}

/** @throws {Refusal} */
export const loadVersions = async (): Promise<readonly Version[]> =>
  (await request(`${path}/versions`, init())).versions

/** @throws {Refusal} */
export const loadVersion = async (version: number): Promise<Content> =>
  (await request(`${path}/versions/${version}`, init()))[kind]

/** @param after a number, or `typed` @param Accept rows for a page, or a patch @throws {Refusal} */
export const loadComparison = (before: string, after: string, Accept: string, look = 'unified') => {
  const headers = { Accept, 'Content-Type': 'application/json' }
  const typed = after === 'typed' && { method: 'POST', body: JSON.stringify(typedContent()) }
  const place = `${path}/versions/${before}${typed ? '' : `/${after}`}`
  return requestText(`${place}?view=${look}`, init({ ...typed, headers }))
}

/** Deletes the earlier versions. @throws {Refusal} */
export const eraseVersions = () => request(`${path}/versions`, init({ method: 'DELETE' }))

/** @param tag of what was changed; anything newer is not overwritten @throws {Refusal} */
export const saveItem = (changes: object, tag: string) =>
  request(
    path,
    init({
      method: 'PATCH',
      headers: { key: typedIn('key'), 'Content-Type': 'application/json', 'If-Match': tag },
      body: JSON.stringify(changes),
    }),
  )

/** The controls of fields that hold content, with the names of the API. */
const controls = () =>
  controlsOf(kind)
    .map((control) => ({ control, field: fieldOf(kind, control.name) }))
    .filter(({ field }) => field !== 'expiresIn')

const expiry = () => typedIn(kind === 'link' ? 'linkExpiresIn' : 'expiresIn')

const contentText = (content: Content, field: string) => String(content[field] ?? '')

/** What a control was filled with, and what the browser made of it: it drops some line ends. */
const filled = new Map<string, { exact: string; shown: string }>()
/** What the fields held when they were loaded. */
let loaded: Content = {}

const isCrLf = (text: string) => text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text)

const exactOf = (control: HTMLInputElement, field: string) => {
  const { exact, shown } = filled.get(field) ?? { exact: '', shown: undefined }
  const { value } = control
  if (value === shown) return exact
  if (field === 'language') return value || 'auto'
  if (field === 'url') return value.trim()
  return isCrLf(exact) ? value.replaceAll('\n', '\r\n') : value
}

const put = ({ control, field }: ReturnType<typeof controls>[number], content: Content) => {
  const exact = contentText(content, field)
  fill(control.name, exact)
  filled.set(field, { exact, shown: control.value })
}

/** What the form holds. */
export const typedContent = (): Content =>
  Object.fromEntries(controls().map(({ control, field }) => [field, exactOf(control, field)]))

/** The fields that were changed, as the body of a change. */
export const changedFields = (): object => {
  const expiresIn = expiry()
  return {
    ...Object.fromEntries(
      Object.entries(typedContent()).filter(([field, value]) => value !== contentText(loaded, field)),
    ),
    ...(expiresIn && { expiresIn: expiresIn === 'never' ? null : expiresIn }),
  }
}

export const isChanged = () => Object.keys(changedFields()).length > 0

/** Fills the form with the newest version. Fields that were changed here keep what was typed. */
export const fillIn = (item: Content) => {
  const changed = changedFields()
  for (const one of controls()) if (!filled.has(one.field) || !(one.field in changed)) put(one, item)
  loaded = item
}

/** Fills the form with an earlier version. */
export const fillWith = (version: Content) => {
  for (const one of controls()) put(one, version)
}
