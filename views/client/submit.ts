import { asks } from '../../src/format.ts'
import { pasteName } from '../../src/items/name.ts'
import { type Created, createLink, createPaste } from './api.ts'
import { give } from './copy.ts'
import { dropDraft } from './draft.ts'
import { controlsOf, field, fieldOf, fill, type Kind, typedIn, typedUrl } from './form.ts'
import { keepItem } from './items-local.ts'
import { offerToKeep } from './key-field.ts'
import { keepMade } from './made.ts'
import { clearProblems, showProblem } from './problems.ts'
import { attempt, enableSending, isRight } from './refusals.ts'
import { hideResult, showResult } from './result.ts'
import { read } from './storage.ts'
import { currentTab } from './tabs.ts'

/** The filled fields, by their names in the API. */
const filledIn = (kind: Kind): Record<string, string | number> =>
  Object.fromEntries(
    controlsOf(kind)
      .map((control) => [
        fieldOf(kind, control.name),
        control.type === 'number' ? control.valueAsNumber : control.value,
      ])
      .filter(([, value]) => value !== '' && !Number.isNaN(value)),
  )

const isBurnt = () => (field('burn') as HTMLInputElement).checked

const pasteBody = () => ({
  ...{ title: '', description: '', ...filledIn('paste') },
  language: typedIn('language') || 'auto',
  ...(isBurnt() && { maxReads: 1 }),
})

/** What the server calls it. */
const nameNow = () => {
  const isBurning = isBurnt() || typedIn('maxReads') !== ''
  return pasteName({ title: typedIn('title'), text: typedIn('text'), ...(isBurning && { readsLeft: 1 }) })
}

const linkBody = () => ({ ...filledIn('link'), url: typedUrl() })

/** The first field that must be filled in, and is not. */
const missing = (kind: Kind) => {
  if ((field('key') as HTMLInputElement).required && !typedIn('key')) return 'key'
  if (kind === 'link') return typedUrl() ? undefined : 'url'
  return typedIn('text') ? undefined : 'text'
}

/** Clears everything except the lifetime, which may suit the next item too. */
const clear = (kind: Kind) => {
  for (const { name } of controlsOf(kind)) if (fieldOf(kind, name) !== 'expiresIn') fill(name, '')
  ;(field('burn') as HTMLInputElement).checked = false
  dropDraft()
}

const create = async (kind: Kind): Promise<void> => {
  const key = typedIn('key')
  const name = kind === 'paste' ? nameNow() : typedUrl()
  const created: Created = await (kind === 'paste'
    ? createPaste(key, pasteBody())
    : createLink(key, linkBody()))
  const { url, deletionUrl, uses } = created
  keepItem({ kind, name, url, deletionUrl, createdAt: new Date().toISOString() })
  clear(kind)
  const isCopied = await give(url)
  const path = url.split('/').slice(-2).join('/')
  const unkept = key !== '' && read('key') === undefined ? { key } : {}
  // Its page says the rest. Where the browser hands nothing over, the deletion link is shown here; what burns is not opened.
  if (kind === 'paste' && uses === undefined && keepMade({ path, deletionUrl, isCopied, ...unkept }))
    return location.assign(path)
  showResult(kind, name, created, isCopied)
  offerToKeep(key)
}

const submit = async (kind: Kind) => {
  hideResult()
  clearProblems()
  const name = missing(kind)
  if (name) return showProblem(kind, name, asks[name])
  if (isRight(kind)) await attempt(kind, () => create(kind))
}

const currentKind = (): Kind => (currentTab() === 'link' ? 'link' : 'paste')

/** Sends the form by script, so the page stays. */
export const enableSubmit = () => enableSending(currentKind, submit)
