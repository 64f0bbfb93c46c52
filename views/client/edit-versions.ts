import { sizeText } from '../../src/format.ts'
import { showAges } from './age.ts'
import { drawn, Refusal } from './api.ts'
import { announce, element, elements } from './dom.ts'
import {
  type Content,
  eraseVersions,
  fillWith,
  isChanged,
  kind,
  loadComparison,
  loadVersion,
  loadVersions,
  noun,
  plainName,
  type Version,
} from './edit-item.ts'
import { showAlert } from './problems.ts'
import { saveAs } from './save-as.ts'
import { isSure } from './sure.ts'

const panel = element('#version')
const against = element<HTMLSelectElement>('#against')
const versionList = element('.version-list')

let versions: readonly Version[] = []
/** The version that is shown. */
let current = 0
let look = 'unified'

const versionName = (version: number) =>
  `Version ${version}${version === versions[0]?.version ? ', the newest' : ''}`

/** Shows what failed at the button, which is always visible. */
const guarded = async (work: () => Promise<unknown>) => {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    showAlert(kind, error.message)
  }
}

/** What is compared, the older side first: numbers, or what was typed, which is newer than every version. */
const sides = (): [before: string, after: string] => {
  const [shown, other] = [String(current), against.value]
  return other === 'typed' || current < Number(other) ? [shown, other] : [other, shown]
}

const putAlone = ({ text, url }: Content) => {
  const shown = document.createElement('pre')
  shown.textContent = String(text ?? url ?? '')
  element('#version-facts').textContent = ''
  element('#diff').className = 'diff unified'
  element('#diff').replaceChildren(shown)
}

const show = async () => {
  const asked = () => `${current} ${against.value} ${look}`
  const before = asked()
  const part = against.value && drawn(await loadComparison(...sides(), 'text/html', look))
  const content = part ? {} : await loadVersion(current)
  if (before !== asked()) return
  if (part) for (const one of [...part.children]) element(`#${one.id}`).replaceWith(one)
  else putAlone(content)
  element('#comparison-tools').hidden = !element('#diff').querySelector('.rows')
}

const savePatch = async () => {
  const names = sides().map((side) => (side === 'typed' ? 'what-you-typed' : `version-${side}`))
  const patch = await loadComparison(...sides(), 'text/x-diff')
  saveAs(`${plainName}-${names.join('-')}.patch`, patch, 'text/x-diff')
}

/** Shows a version in the place of the text. @param other what to compare it with: a number, `typed`, or nothing */
export const openVersion = async (version: number, other = '') => {
  current = version
  for (const button of elements('button', versionList))
    button.ariaPressed = String(button.dataset.version === String(version))
  const options = versions.filter((one) => one.version !== version).map((one) => one.version)
  against.replaceChildren(
    new Option('nothing', ''),
    ...options.map((one) => new Option(versionName(one).replace('V', 'v'), String(one))),
    new Option('what you typed', 'typed'),
  )
  against.value = other
  element('#version-title').textContent = versionName(version)
  panel.hidden = false
  await guarded(show)
  element('#version-title').focus()
  panel.scrollIntoView({ block: 'nearest' })
}

const close = () => {
  panel.hidden = true
  const pressed = elements('[aria-pressed=true]', versionList)
  for (const button of pressed) {
    button.ariaPressed = 'false'
    button.focus()
  }
}

const bringBack = async () => {
  if (isChanged() && !(await isSure(`Replace what you typed with version ${current}?`, 'Replace'))) return
  fillWith(await loadVersion(current))
  close()
  announce(`Version ${current} is in the editor. Save makes it the newest.`)
}

const erase = async () => {
  if (!(await isSure(`Erase all earlier versions of this ${noun}? You cannot undo this.`, 'Erase'))) return
  await eraseVersions()
  close()
  await showVersions()
  announce('Earlier versions erased')
  element('.primary').focus()
}

const versionRow = ({ version, changedAt, bytes }: Version) => {
  const row = element<HTMLTemplateElement>('#version-row').content.cloneNode(true) as DocumentFragment
  const [button, time] = [element('button', row), element<HTMLTimeElement>('time', row)]
  button.dataset.version = String(version)
  button.addEventListener('click', () => openVersion(version))
  element('.version-name', row).textContent = versionName(version)
  element('.version-size', row).textContent = sizeText(bytes)
  time.dateTime = changedAt
  time.textContent = new Date(changedAt).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
  return row
}

const changeLook = () => {
  look = look === 'split' ? 'unified' : 'split'
  element('#split').ariaPressed = String(look === 'split')
  return guarded(show)
}

/** Lists the versions, if there is more than one. @returns the number of the newest. @throws {Refusal} */
export const showVersions = async () => {
  versions = await loadVersions()
  versionList.replaceChildren(...versions.map(versionRow))
  showAges(versionList)
  element('#versions').hidden = versions.length < 2
  return versions[0]?.version ?? 1
}

/** Shows what the last change changed. */
export const compareNewestTwo = async () => {
  const [newest, before] = versions
  if (newest && before) await openVersion(before.version, String(newest.version))
}

export const enableVersions = () => {
  against.addEventListener('change', () => guarded(show))
  element('#split').addEventListener('click', changeLook)
  element('#save-patch').addEventListener('click', () => guarded(savePatch))
  element('#bring-back').addEventListener('click', () => guarded(bringBack))
  element('#close-version').addEventListener('click', close)
  element('#erase-versions').addEventListener('click', () => guarded(erase))
}
