import { LRUCache } from 'lru-cache'
import { invalid, overloaded } from '../../errors.ts'
import type { DiffLook } from '../../highlight/compare/diff-html.ts'
import type { Highlighter, Highlighting } from '../../highlight/highlighter.ts'
import type { Lines } from '../../highlight/lines.ts'
import { type Body, blobOf, createBody, heldBytes } from '../../http/answers/negotiate.ts'
import { createFlights } from '../../http/answers/prepared.ts'
import { negotiated, pageHeaders, rawHeaders } from '../../http/answers/respond.ts'
import { type DiffView, diffViewOf, patchFileOf, patchHeadOf, type Two } from './diff-view.ts'

export type DiffRendererParts = { highlighter: Highlighter }

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

/** A failure is remembered, so it is not repeated on each read, but not for long: the machine may just have been busy. */
const failureKeepMs = 60_000
const mostFailures = 1000

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
const bodyOf = async (asked: DiffAsked, lines: Lines, etag: string | undefined, not?: DiffView['not']) => {
  const { as, two } = asked
  if (isPage(as)) {
    const view = { ...asked, look: as, ...(not && { not }) }
    return createBody(await blobOf(diffViewOf(view, lines)), diffHeadersOf(asked), etag)
  }
  const why = lines.compared === 'too different' ? 'different' : not
  if (why) throw refusals[why]()
  return createBody(await blobOf(patchOf(two, lines)), diffHeadersOf(asked), etag)
}

/** Compares pastes when it is first requested, and keeps what was made, limited by bytes. */
export const createDiffRenderer = ({ highlighter }: DiffRendererParts) => {
  const bodies = new LRUCache<string, Body>({
    maxSize: cacheBytes,
    sizeCalculation: (body) => Math.min(cacheBytes, heldBytes(body)),
  })
  const { shared } = createFlights<Body>()
  const failed = new LRUCache<string, true>({ max: mostFailures, ttl: failureKeepMs, ttlResolution: 0 })
  /** Comparisons that still run. Their readers got a page that says so. */
  const late = new Set<string>()

  const keep = async (asked: DiffAsked, lines: Lines, etag: string, not?: DiffView['not']) => {
    const body = await bodyOf(asked, lines, etag, not)
    bodies.set(asked.key, body)
    return body
  }

  const keepLate = async (asked: DiffAsked, etag: string, later: Promise<Highlighting>) => {
    late.add(asked.key)
    const { lines, isFailed } = await later
    if (isFailed) failed.set(asked.key, true)
    // Only a patch that cannot be made throws. Its next reader gets the error.
    if (lines) await keep(asked, lines, etag).catch(() => {})
    late.delete(asked.key)
  }

  const make = async (asked: DiffAsked, etag: string): Promise<Body> => {
    const { key, as, two } = asked
    const compare = { text: two[1].text, as: isPage(as) ? as : ('patch' as const) }
    const job = { text: two[0].text, language: 'text', compare }
    if (!highlighter.isHighlightable(job)) return keep(asked, noLines, etag, 'large')
    if (failed.has(key)) return bodyOf(asked, noLines, undefined, 'failed')
    if (late.has(key)) return bodyOf(asked, noLines, undefined, 'late')
    const { lines, isFailed, later } = await highlighter.highlight(job, true)
    if (lines) return keep(asked, lines, etag)
    if (isFailed) failed.set(key, true)
    if (later) void keepLate(asked, etag, later)
    return bodyOf(asked, noLines, undefined, isFailed ? 'failed' : 'late')
  }

  return {
    /** The requested answer, if it is in the cache. */
    find: ({ key }: DiffAsked): Body | undefined => bodies.get(key),
    /** @throws {AppError} for a patch that cannot be made */
    render: (asked: DiffAsked, etag: string): Promise<Body> => shared(asked.key, () => make(asked, etag)),
  }
}
