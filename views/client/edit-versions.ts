import { sizeText } from '../../src/format.ts'
import { type Comparison, compareLines, type DiffLook } from '../../src/highlight/compare/line-diff.ts'
import { patchHead, patchLines } from '../../src/highlight/compare/patch.ts'
import { diffPieces, rowsOf } from '../../src/highlight/compare/rows.ts'
import { fileNameOf } from '../../src/highlight/languages/file-names.ts'
import { showAges } from './age.ts'
import { Refusal } from './api.ts'
import { announce, element, elements } from './dom.ts'
import {
  type Content,
  eraseVersions,
  fillWith,
  isChanged,
  kind,
  loadVersion,
  loadVersions,
  noun,
  plainName,
  typedContent,
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
let look: DiffLook = 'unified'
/** Of the comparison that is shown, if there is one. */
let patch: Patch | undefined
/** Versions never change. */
const known = new Map<number, Promise<Content>>()

const contentOf = (version: number) => {
  const content = known.get(version) ?? loadVersion(version)
  known.set(version, content)
  content.catch(() => known.delete(version))
  return content
}

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

const put = ({ lines, facts, digits = 0, patch: made }: ReturnType<typeof shownDiff>) => {
  patch = made
  element('#comparison-tools').hidden = !made
  // As wide as its line numbers need.
  element('#diff').className = `diff ${made ? look : 'unified'} digits-${digits}`
  element('#diff').replaceChildren(...lines)
  element('#version-facts').textContent = facts
}

const show = async () => {
  const [shown, other] = [current, against.value]
  const content = await contentOf(shown)
  const second = other === 'typed' ? typedContent() : other && (await contentOf(Number(other)))
  if (shown !== current || other !== against.value) return
  if (second) {
    const one = { content, name: `version ${shown}` }
    const two = { content: second, name: other === 'typed' ? 'what you typed' : `version ${other}` }
    // What was typed is newer than every version.
    const isOlder = other === 'typed' || shown < Number(other)
    put(shownDiff(isOlder ? [one, two] : [two, one], look))
  } else put({ lines: shownText(content), facts: '' })
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
  fillWith(await contentOf(current))
  close()
  announce(`Version ${current} is in the editor. Save makes it the newest.`)
}

const erase = async () => {
  if (!(await isSure(`Erase all earlier versions of this ${noun}? You cannot undo this.`, 'Erase'))) return
  await eraseVersions()
  close()
  known.clear()
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

export const enableVersions = () => {
  against.addEventListener('change', () => guarded(show))
  element('#split').addEventListener('click', changeLook)
  element('#save-patch').addEventListener(
    'click',
    () => patch && saveAs(patch.file, patch.text(), 'text/x-diff'),
  )
  element('#bring-back').addEventListener('click', () => guarded(bringBack))
  element('#close-version').addEventListener('click', close)
  element('#erase-versions').addEventListener('click', () => guarded(erase))
}

const labels = { title: 'Title', description: 'Description', language: 'Language' }

const linesOf = (content: Content) =>
  kind === 'link' ? `${content.url ?? ''}\n` : String(content.text ?? '')

/** The lines of a version. */
export const shownText = (content: Content): readonly Node[] => {
  const text = document.createElement('pre')
  text.textContent = kind === 'link' ? String(content.url ?? '') : linesOf(content)
  return [text]
}

/** Rows with everything user-made escaped, as the page that compares two pastes has them. */
const nodesOf = (html: string) => {
  const template = document.createElement('template')
  template.innerHTML = html
  return [...template.content.childNodes]
}

const countOf = (lines: number) => lines.toLocaleString('en')

/** More would keep the browser busy for seconds. */
const mostChars = 2_000_000

/** @returns the rows that have room, and whether these are all */
const rowsIn = (comparison: Comparison, look: DiffLook) => {
  let chars = 0
  const hasRoom = (html: string) => {
    chars += html.length
    return chars <= mostChars
  }
  const pieces = diffPieces(rowsOf(comparison), look, hasRoom)
  const html: string[] = []
  for (;;) {
    const { done, value } = pieces.next()
    if (done) return { lines: nodesOf(html.join('')), isWhole: value }
    html.push(value)
  }
}

/** The fields apart from the text that differ, in words. */
const otherChanges = (before: Content, after: Content) =>
  Object.entries(labels).flatMap(([field, label]) =>
    (before[field] ?? '') === (after[field] ?? '')
      ? []
      : [`${label}: “${before[field] ?? ''}” became “${after[field] ?? ''}”.`],
  )

/** A version to compare: its content, and its name. */
export type Side = { content: Content; name: string }

/** Saved by the browser under a name. */
export type Patch = { file: string; text: () => string }

const fileOf = ({ title, language }: Content) =>
  fileNameOf(plainName, String(title ?? ''), String(language ?? 'text'))

/** The patch that leads from one version to the other. */
const patchOf = (sides: readonly [Side, Side], comparison: Comparison): Patch => {
  const [before, after] = sides.map(({ content, name }) => ({ name: fileOf(content), about: name }))
  const names = sides.map(({ name }) => name.replaceAll(' ', '-'))
  return {
    file: `${plainName}-${names.join('-')}.patch`,
    text: () => [before && after ? patchHead([before, after]) : '', ...patchLines(comparison)].join(''),
  }
}

type Shown = { lines: readonly Node[]; facts: string; digits?: number; patch?: Patch }

/** How two versions differ: lines that begin with + or −, what else was changed, in words, and a patch of the lines. */
export const shownDiff = (sides: readonly [Side, Side], look: DiffLook): Shown => {
  const [before, after] = [sides[0].content, sides[1].content]
  const others = otherChanges(before, after)
  const only = (fact: string): Shown => ({ lines: [], facts: [...others, fact].join(' ') })
  const comparison = compareLines(linesOf(before), linesOf(after))
  if (!comparison) return only('The texts differ too much to be compared line by line.')
  if (comparison.changes.length === 0) return only('The text is the same.')
  const { added, removed } = comparison
  const { lines, isWhole } = rowsIn(comparison, look)
  const facts = [
    ...(kind === 'link' ? [] : [`Lines: +${countOf(added)} −${countOf(removed)}.`]),
    ...(isWhole ? [] : ['Only the first differences are shown.']),
    ...others,
  ]
  const digits = String(Math.max(comparison.before.count, comparison.after.count)).length
  return { lines, facts: facts.join(' '), digits, patch: patchOf(sides, comparison) }
}
