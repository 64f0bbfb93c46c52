import { LRUCache } from 'lru-cache'
import { DiffPage, DiffPart, type DiffSide, type NotCompared } from '../../../views/diff-page.tsx'
import type { Site } from '../../../views/layout.tsx'
import { createCollector } from '../../collector.ts'
import { invalid, overloaded } from '../../errors.ts'
import { countText, formatLines, publicName, sizeText } from '../../format.ts'
import type { DiffLook } from '../../highlight/compare/line-diff.ts'
import { patchHead } from '../../highlight/compare/patch.ts'
import { renderComparison } from '../../highlight/compare/rows.ts'
import type { Highlighter } from '../../highlight/highlighter.ts'
import { fileNameOf } from '../../highlight/languages/file-names.ts'
import { languageName } from '../../highlight/languages/languages.ts'
import { around, type Lines, linesPlace } from '../../highlight/lines.ts'
import { countLines, replaceInvisible, showText } from '../../highlight/show-text.ts'
import { createFlights, negotiated, pageHeaders, rawHeaders } from '../../http/answers.ts'
import type { SiteAt } from '../../http/assets.ts'
import { createAttempts } from '../../http/memory.ts'
import { type Body, blobOf, createBody, heldBytes } from '../../http/negotiate.ts'
import { pasteName } from '../../items/name.ts'
import type { StoredPaste } from '../../items/paste.ts'

/** Older titles may be as long as a text. */
const mostTitleChars = 1024

/** Two pastes, the older side first. */
export type Two = readonly [before: StoredPaste, after: StoredPaste]

/** What a page shows apart from the rows. */
export type DiffView = Omit<DiffAsked, 'key' | 'as'> & {
  look: DiffLook
  /** Why there are no rows, if there are none. */
  not?: NotCompared
}

const fileOf = (paste: StoredPaste) => fileNameOf(publicName(paste), paste.title, paste.language)

/** The name of the file for saving a patch. */
export const patchFileOf = (two: Two) => `${two.map(publicName).join('-')}.patch`

/** The lines before the hunks. `patch` finds the file by its name. */
export const patchHeadOf = ({ two, called }: Pick<DiffAsked, 'two' | 'called'>) =>
  patchHead(
    two.map((paste, at) => ({ name: fileOf(paste), about: called?.[at] ?? `paste ${publicName(paste)}` })),
  )

const labels = { title: 'Title', description: 'Description', language: 'Language' } as const

/** The fields apart from the text that differ, in words. */
const changesOf = ([before, after]: Two) =>
  (['title', 'description', 'language'] as const).flatMap((field) =>
    before[field] === after[field] ? [] : [`${labels[field]}: “${before[field]}” became “${after[field]}”.`],
  )

const sideOf = (paste: StoredPaste): DiffSide => {
  const { text, language } = paste
  const title = pasteName(paste).slice(0, mostTitleChars)
  const facts = [languageName(language), formatLines(countLines(text)), sizeText(Buffer.byteLength(text))]
  return {
    name: publicName(paste),
    title: replaceInvisible(title),
    titleHtml: showText(title),
    facts: facts.join(', '),
  }
}

const digitsOf = (two: Two) => Math.max(...two.map(({ text }) => String(countLines(text)).length))

const frameOf = (site: Site, view: DiffView, { compared, isPartial }: Lines) => {
  const { two, called, look, isMistyped = false, not } = view
  const counts = compared && compared !== 'too different' ? compared : undefined
  const props = {
    ...{ site, look, isMistyped },
    sides: [sideOf(two[0]), sideOf(two[1])] as const,
    digits: digitsOf(two),
    added: counts && countText(counts.added),
    removed: counts && countText(counts.removed),
    isSame: counts?.added === 0 && counts.removed === 0,
    isCut: isPartial,
    not: compared === 'too different' ? ('different' as const) : not,
    patchFile: patchFileOf(two),
    rowsHtml: linesPlace,
  }
  return (called ? DiffPart({ ...props, changes: changesOf(two) }) : DiffPage(props)) as string
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

export type DiffRendererParts = { highlighter: Highlighter; siteAt: SiteAt }

/** Memory for finished pages and patches; a larger one replaces all of them. */
const cacheBytes = 12 * 1024 ** 2

/** A page, a patch, or a patch to save as a file. */
export type DiffAsked = {
  /** Of both revisions and all that follows. */
  key: string
  two: Two
  /** Names of both, if they are versions of one item: then it is a part of a page. */
  called?: readonly string[]
  as: DiffLook | 'patch' | 'file'
  /** True if the address asks for a look that there is not. */
  isMistyped?: boolean
}

const patchHeaders = { ...rawHeaders, ...negotiated, 'Content-Type': 'text/x-diff; charset=utf-8' }

/** The headers of each answer. */
export const diffHeadersOf = ({ as, two }: Pick<DiffAsked, 'as' | 'two'>) => {
  if (as === 'file')
    return { ...patchHeaders, 'Content-Disposition': `attachment; filename="${patchFileOf(two)}"` }
  return as === 'patch' ? patchHeaders : { ...pageHeaders, ...negotiated }
}

const isPage = (as: DiffAsked['as']): as is DiffLook => as === 'unified' || as === 'split'

const noLines: Lines = { html: [], shown: 0, total: 0, isPartial: false }

/** What programs get instead of a patch. */
export const refusals = {
  different: () => invalid('These texts differ too much to be compared line by line'),
  large: () => invalid('These texts are too large to be compared'),
  late: () => overloaded('Comparing these texts took too long. Try again in a moment.'),
  failed: () => overloaded('Comparing these texts took too long, or failed. Try again in a minute.'),
}

function* patchOf(asked: DiffAsked, { html }: Lines) {
  if (html.every((piece) => piece === '')) return
  yield patchHeadOf(asked)
  yield* html
}

/** @throws {AppError} for a patch that cannot be made */
type BodyOf = (
  asked: DiffAsked,
  lines: Lines,
  etag: string | undefined,
  not?: DiffView['not'],
) => Promise<Body>

const bodiesAt =
  (site: Site): BodyOf =>
  async (asked, lines, etag, not) => {
    const { as, called } = asked
    // The editor says at its button why there are no rows.
    if (isPage(as) && !(called && not)) {
      const view = { ...asked, look: as, ...(not && { not }) }
      return createBody(await blobOf(diffViewOf(site, view, lines)), diffHeadersOf(asked), etag)
    }
    const why = lines.compared === 'too different' ? 'different' : not
    if (why) throw refusals[why]()
    return createBody(await blobOf(patchOf(asked, lines)), diffHeadersOf(asked), etag)
  }

/** Compares pastes when it is first requested, and keeps what was made, limited by bytes. */
export const createDiffRenderer = ({ highlighter, siteAt }: DiffRendererParts) => {
  const bodyOf = bodiesAt(siteAt('../../'))
  const bodies = new LRUCache<string, Body>({
    maxSize: cacheBytes,
    sizeCalculation: (body) => Math.min(cacheBytes, heldBytes(body)),
  })
  const { shared } = createFlights<Body>()
  const attempt = createAttempts()
  const { made } = createCollector()

  const keep = async (asked: DiffAsked, lines: Lines, etag: string, not?: DiffView['not']) => {
    const body = await bodyOf(asked, lines, etag, not)
    made(body.plain.size)
    bodies.set(asked.key, body)
    return body
  }

  const make = async (asked: DiffAsked, etag: string): Promise<Body> => {
    const { key, as, two, called } = asked
    const [{ text, language }, after] = two
    const compare = { text: after.text, language: after.language, as: isPage(as) ? as : ('patch' as const) }
    const job = { text, language, compare }
    if (!called && !highlighter.isHighlightable(job)) return keep(asked, noLines, etag, 'large')
    const keepLines = (lines: Lines) => keep(asked, lines, etag)
    const lines = await attempt(key, () => highlighter.highlight(job, true), keepLines)
    if (typeof lines === 'string') return bodyOf(asked, noLines, undefined, lines)
    // Without an entity tag, the next request gets the colours.
    return lines.isEarly ? bodyOf(asked, lines, undefined) : keepLines(lines)
  }

  return {
    /** The requested answer, if it is in the cache. */
    find: ({ key }: DiffAsked): Body | undefined => bodies.get(key),
    /** @throws {AppError} for a patch that cannot be made */
    render: (asked: DiffAsked, etag: string): Promise<Body> => shared(asked.key, () => make(asked, etag)),
  }
}
