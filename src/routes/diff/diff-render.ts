import { LRUCache } from 'lru-cache'
import type { Site } from '../../../views/layout.tsx'
import { createTidy } from '../../collector.ts'
import { invalid, overloaded } from '../../errors.ts'
import type { DiffLook } from '../../highlight/compare/diff-html.ts'
import type { Highlighter } from '../../highlight/highlighter.ts'
import type { Lines } from '../../highlight/lines.ts'
import { createFlights, negotiated, pageHeaders, rawHeaders } from '../../http/answers.ts'
import type { SiteAt } from '../../http/assets.ts'
import { createAttempts } from '../../http/memory.ts'
import { type Body, blobOf, createBody, heldBytes } from '../../http/negotiate.ts'
import { type DiffView, diffViewOf, patchFileOf, patchHeadOf, type Two } from './diff-view.ts'

export type DiffRendererParts = { highlighter: Highlighter; siteAt: SiteAt }

/** Memory for finished pages and patches; a larger one replaces all of them. */
const cacheBytes = 12 * 1024 ** 2

/** A page, a patch, or a patch to save as a file. */
export type DiffAsked = {
  /** Of both revisions and all that follows. */
  key: string
  two: Two
  as: DiffLook | 'patch' | 'file'
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
  different: () => invalid('These pastes differ too much to be compared line by line'),
  large: () => invalid('These pastes are too large to be compared'),
  late: () => overloaded('Comparing these pastes took too long. Try again in a moment.'),
  failed: () => overloaded('Comparing these pastes took too long, or failed. Try again in a minute.'),
}

function* patchOf(two: Two, { html }: Lines) {
  if (html.every((piece) => piece === '')) return
  yield patchHeadOf(two)
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
    const { as, two } = asked
    if (isPage(as)) {
      const view = { ...asked, look: as, ...(not && { not }) }
      return createBody(await blobOf(diffViewOf(site, view, lines)), diffHeadersOf(asked), etag)
    }
    const why = lines.compared === 'too different' ? 'different' : not
    if (why) throw refusals[why]()
    return createBody(await blobOf(patchOf(two, lines)), diffHeadersOf(asked), etag)
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
  const tidy = createTidy()

  const keep = async (asked: DiffAsked, lines: Lines, etag: string, not?: DiffView['not']) => {
    const body = await bodyOf(asked, lines, etag, not)
    tidy(body.plain.size)
    bodies.set(asked.key, body)
    return body
  }

  const make = async (asked: DiffAsked, etag: string): Promise<Body> => {
    const { key, as, two } = asked
    const compare = { text: two[1].text, as: isPage(as) ? as : ('patch' as const) }
    const job = { text: two[0].text, language: 'text', compare }
    if (!highlighter.isHighlightable(job)) return keep(asked, noLines, etag, 'large')
    const keepLines = (lines: Lines) => keep(asked, lines, etag)
    const lines = await attempt(key, () => highlighter.highlight(job, true), keepLines)
    return typeof lines === 'string' ? bodyOf(asked, noLines, undefined, lines) : keepLines(lines)
  }

  return {
    /** The requested answer, if it is in the cache. */
    find: ({ key }: DiffAsked): Body | undefined => bodies.get(key),
    /** @throws {AppError} for a patch that cannot be made */
    render: (asked: DiffAsked, etag: string): Promise<Body> => shared(asked.key, () => make(asked, etag)),
  }
}
