import { DiffPage } from '../../../views/diff-page.tsx'
import type { DiffSide, NotCompared } from '../../../views/diff-props.ts'
import type { Site } from '../../../views/layout.tsx'
import { countText, formatLines, nameOf, sizeText } from '../../format.ts'
import type { DiffLook } from '../../highlight/compare/diff-html.ts'
import { patchHead } from '../../highlight/compare/patch.ts'
import { renderComparison } from '../../highlight/compare/render-comparison.ts'
import { fileNameOf } from '../../highlight/languages/file-names.ts'
import { languageName } from '../../highlight/languages/languages.ts'
import { around, type Lines, linesPlace } from '../../highlight/lines.ts'
import { countLines, replaceInvisible, showText } from '../../highlight/show-text.ts'
import type { SiteAt } from '../../http/assets.ts'
import type { StoredPaste } from '../../items/paste.ts'

/** Older titles may be as long as a text. */
const mostTitleChars = 1024

/** Two pastes, the older side first. */
export type Two = readonly [before: StoredPaste, after: StoredPaste]

/** What a page shows apart from the rows. */
export type DiffView = {
  two: Two
  look: DiffLook
  /** True if the address asks for a look that there is not. */
  isMistyped?: boolean
  /** Why there are no rows, if there are none. */
  not?: NotCompared
}

const fileOf = (paste: StoredPaste) => fileNameOf(nameOf(paste), paste.title, paste.language)

/** The name of the file for saving a patch. */
export const patchFileOf = (two: Two) => `${two.map(nameOf).join('-')}.patch`

/** The lines before the hunks. `patch` finds the file by its name. */
export const patchHeadOf = (two: Two) => {
  const [before, after] = two.map((paste) => ({ name: fileOf(paste), about: `paste ${nameOf(paste)}` }))
  return before && after ? patchHead([before, after]) : ''
}

const sideOf = (paste: StoredPaste): DiffSide => {
  const { title: whole, text, language } = paste
  const title = whole.slice(0, mostTitleChars) || 'Untitled paste'
  const facts = [languageName(language), formatLines(countLines(text)), sizeText(Buffer.byteLength(text))]
  return {
    name: nameOf(paste),
    title: replaceInvisible(title),
    titleHtml: showText(title),
    facts: facts.join(', '),
  }
}

const digitsOf = (two: Two) => Math.max(...two.map(({ text }) => String(countLines(text)).length))

const frameOf = (site: Site, view: DiffView, { compared, isPartial }: Lines) => {
  const { two, look, isMistyped = false, not } = view
  const counts = compared && compared !== 'too different' ? compared : undefined
  return DiffPage({
    ...{ site, look, isMistyped },
    sides: [sideOf(two[0]), sideOf(two[1])],
    digits: digitsOf(two),
    added: counts && countText(counts.added),
    removed: counts && countText(counts.removed),
    isSame: counts?.added === 0 && counts.removed === 0,
    isCut: isPartial,
    not: compared === 'too different' ? 'different' : not,
    patchFile: patchFileOf(two),
    rowsHtml: linesPlace,
  }) as string
}

/** The page that compares two pastes, in pieces. */
export const diffViewOf = (site: Site, view: DiffView, lines: Lines) =>
  around(frameOf(site, view, lines), lines)

const sample = (text: string): StoredPaste => ({
  ...{ id: 'a', createdAt: 0, owner: 'a', deletionHash: '' },
  ...{ text, title: 'a', description: '', language: 'text' },
})

/** Pages with every part a page may have. Their hash changes when a new program renders pages differently. */
const samplePages = (site: Site) => {
  const two: Two = [sample('a b\n'.repeat(9)), sample(`a c${'\na b'.repeat(8)}`)]
  const [before, after] = [two[0].text, two[1].text]
  return (['unified', 'split'] as const).map((as) => {
    const lines = { ...renderComparison(before, { text: after, as }), isPartial: true }
    return [...diffViewOf(site, { two, look: as, isMistyped: true, not: 'late' }, lines)].join('')
  })
}

/** Entity tags, known before a body is made. @param program version of the program, with its commit */
export const createDiffTags = (program: string, siteAt: SiteAt) => {
  let maker: string | undefined
  return (key: string) => {
    // At the first request: at the start it would delay the start.
    maker ??= Bun.hash(program + samplePages(siteAt('../../')).join('')).toString(36)
    return `"${Bun.hash(`${maker} ${key}`).toString(36)}"`
  }
}
