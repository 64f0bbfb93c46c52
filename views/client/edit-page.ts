// For the page that changes an item: asks for it with the key, and sends what was changed.
import { relativeTime } from './age.ts'
import { Refusal } from './api.ts'
import { announce, element, isUser } from './dom.ts'
import { dropDraft, enableDraft } from './draft.ts'
import {
  changedFields,
  fillIn,
  isChanged,
  itemName,
  kind,
  loadItem,
  noun,
  pageOfItem,
  saveItem,
} from './edit-item.ts'
import { compareNewestTwo, enableVersions, openVersion, showVersions } from './edit-versions.ts'
import { field, fill, form, typedIn } from './form.ts'
import { enableKey } from './key-field.ts'
import { enableMasking } from './masking-loading.ts'
import { clearProblems, showAlert, showProblem } from './problems.ts'
import { attempt, enableSending, isRight } from './refusals.ts'
import { isSure } from './sure.ts'
import { enableIndenting } from './text-keys.ts'

let isLoaded = false
let newest = 1

const conflict = element('#conflict')

const leave = () => {
  dropDraft()
  location.assign(pageOfItem)
}

/** Loads the newest version; fields that were changed here keep what was typed. @throws {Refusal} */
const loadNewest = async () => {
  const { item, tag } = await loadItem()
  newest = await showVersions()
  fillIn(item)
  fill('tag', tag)
  return item
}

const showExpiry = (expiresAt: string | number | undefined) => {
  const select = field(kind === 'link' ? 'linkExpiresIn' : 'expiresIn') as HTMLSelectElement
  const when = expiresAt === undefined ? 'never' : relativeTime(Date.parse(String(expiresAt)) - Date.now())
  if (select.options[0]) select.options[0].text = `Keep (${when})`
}

const startEditing = async () => {
  const item = await loadNewest()
  // Enter in the key field asks twice.
  if (isLoaded) return
  const { title, url, readsLeft, visitsLeft } = item
  element('#edit-title').textContent = `Edit “${title ?? url ?? ''}”`
  showExpiry(item.expiresAt)
  if ((readsLeft ?? visitsLeft) !== undefined)
    return showAlert(kind, `This ${noun} burns after reading, so it cannot be changed.`)
  isLoaded = true
  element('.send .primary').textContent = 'Save'
  form.classList.add('loaded')
  if (enableDraft(false, ` ${itemName}`)) announce('What you typed before is here again')
  // The address that the page of a paste leads its maker to.
  if (location.hash === '#versions') await compareNewestTwo()
}

const tryToLoad = () =>
  attempt(kind, async () => {
    clearProblems()
    if (!typedIn('key') && !isUser())
      return showProblem(kind, 'key', `Enter the API key you created it with.`)
    await startEditing().catch((error) => {
      if (!(error instanceof Refusal) || error.status !== 404) throw error
      const maker = typedIn('key') ? 'This API key' : 'You'
      showProblem(kind, 'key', `${maker} did not create this ${noun}, or there is no such ${noun}.`)
    })
  })

/** Somebody else was faster: what was typed stays, and can be compared with theirs. */
const showConflict = async () => {
  await loadNewest()
  showAlert(
    kind,
    `Someone saved version ${newest} in the meantime. Nothing you typed is lost. Save again to replace that version.`,
  )
  conflict.hidden = false
}

const save = async () => {
  conflict.hidden = true
  clearProblems()
  if (!isRight(kind)) return
  if (!isChanged()) return showAlert(kind, 'You changed nothing.')
  await attempt(kind, async () => {
    try {
      await saveItem(changedFields(), typedIn('tag'))
      leave()
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 412) throw error
      await showConflict()
    }
  })
}

element<HTMLAnchorElement>('#cancel').href = pageOfItem
element('#cancel').addEventListener('click', async (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  if (!isChanged() || (await isSure('Discard what you typed?', 'Discard'))) leave()
})
element('#compare-newest').addEventListener('click', () => openVersion(newest, 'typed'))
enableKey(() => void (isLoaded || tryToLoad()))
if (kind === 'paste') {
  enableIndenting(field('text') as HTMLTextAreaElement)
  enableMasking()
}
enableVersions()
enableSending(
  () => kind,
  () => void (isLoaded ? save() : tryToLoad()),
)
if (typedIn('key') || isUser()) void tryToLoad()
else field('key').focus()
