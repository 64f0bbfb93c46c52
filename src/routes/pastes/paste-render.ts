import { LRUCache } from 'lru-cache'
import { invalid } from '../../errors.ts'
import type { Highlighter } from '../../highlight/highlighter.ts'
import { findLanguage } from '../../highlight/languages/languages.ts'
import { renderPlain } from '../../highlight/plain.ts'
import type { Lines } from '../../highlight/render.ts'
import { isBrowser } from '../../http/answers/negotiate.ts'
import { type Body, blobOf, createBody, heldBytes } from '../../http/answers/prepared.ts'
import { negotiated, pageHeaders } from '../../http/answers/respond.ts'
import { createFlights } from '../../http/answers/sharing.ts'
import type { StoredPaste } from '../../items/schema.ts'
import { revisionOf } from './paste-tags.ts'
import { type PasteView, viewOf } from './paste-view.ts'

export type PasteRendererParts = {
  highlighter: Highlighter
  cacheBytes: number
  /** Told whether a page was found finished. */
  onPageLookup: (isHit: boolean) => void
}

/** What failed is not tried again at each reading, but may have been the fault of a busy moment. */
const failureKeepMs = 60_000
const mostFailures = 1000

/** Plain pages of longer texts are made one after the other: each takes some 30 MB while it is made. */
const largeChars = 256 * 1024

export const pastePageHeaders = { ...pageHeaders, ...negotiated }

/** How a reader wants to read: in which language, if any; else the one nearest to a word that is none. */
export type LanguageAsked = { language?: string; nearest?: string }

const nothingAsked: LanguageAsked = {}

/**
 * What the address says of the language. A person who mistyped it reads the paste, and is told the nearest one.
 * @throws {AppError} `invalid` for one that is not known, to a program and where something would be spent
 */
export const languageAsked = (request: Request): LanguageAsked => {
  const { url, method } = request
  const asked = url.includes('?') ? new URL(url).searchParams.get('lang') : null
  if (asked === null) return nothingAsked
  const language = findLanguage(asked)
  if (!('nearest' in language)) return { language: language.id }
  if (isBrowser(request) && method !== 'POST') return { nearest: language.nearest }
  throw invalid(`"lang" is not a known language; the nearest one is "${language.nearest}"`)
}

const bodyOf = async (view: PasteView, lines: Lines, etag: string | undefined) =>
  createBody(await blobOf(viewOf(view, lines)), pastePageHeaders, etag)

/** A page as it is asked for: whose, in which language, with which notice, under which entity tag. */
export type PageAsked = Omit<PasteView, 'plain'> & { etag: string }

/** Finished pages, each made once, however many ask for it, and kept by its bytes. */
export const createPasteRenderer = ({ highlighter, cacheBytes, onPageLookup }: PasteRendererParts) => {
  const pages = new LRUCache<string, Body>({ maxSize: cacheBytes, sizeCalculation: heldBytes })
  const failed = new LRUCache<string, true>({ max: mostFailures, ttl: failureKeepMs, ttlResolution: 0 })
  /** Pages whose highlighting goes on, though their readers were answered. */
  const late = new Set<string>()
  const { shared, oneAtATime } = createFlights<Body>()

  /** A text that is put together has to be hashed each time; most pages are in the paste's own language. */
  const keyOf = (revision: string, { paste, language, nearest }: Omit<PageAsked, 'etag'>) => {
    if (nearest !== undefined) return `${revision}/${language}?${nearest}`
    return language === paste.language ? revision : `${revision}/${language}`
  }

  const keep = (key: string, body: Body) => {
    pages.set(key, body)
    return body
  }

  const plain = async (view: PasteView, etag?: string) => {
    const { text } = view.paste
    const make = async () => bodyOf(view, await renderPlain(text, view.language), etag)
    return text.length > largeChars ? oneAtATime(make) : make()
  }

  /** In the paste's own language, whatever was asked for: one for all languages. No client may take it for the highlighted one. */
  const notHighlighted = async ({ paste, nearest }: PasteView, why: 'late' | 'failed') => {
    const key = `${await revisionOf(paste)}/${why}!${nearest ?? ''}`
    const view = { paste, language: paste.language, plain: why, ...(nearest !== undefined && { nearest }) }
    return pages.get(key) ?? shared(key, async () => keep(key, await plain(view)))
  }

  const keepLate = async (
    key: string,
    { etag, ...view }: PageAsked,
    later: ReturnType<Highlighter['highlight']>,
  ) => {
    late.add(key)
    const { lines, isFailed } = await later
    if (lines) keep(key, await bodyOf(view, lines, etag))
    if (isFailed) failed.set(key, true)
    late.delete(key)
  }

  const highlighted = async (key: string, asked: PageAsked): Promise<Body> => {
    const { etag, ...view } = asked
    const { paste, language } = view
    const { lines, isFailed, later } = await highlighter.highlight(
      paste.text,
      language,
      language === paste.language,
    )
    if (lines) return keep(key, await bodyOf(view, lines, etag))
    if (isFailed) failed.set(key, true)
    if (later) keepLate(key, asked, later)
    return notHighlighted(view, isFailed ? 'failed' : 'late')
  }

  const make = async (key: string, asked: PageAsked): Promise<Body> => {
    const { etag, ...view } = asked
    const { paste, language } = view
    if (!highlighter.isHighlightable(paste.text, language))
      return keep(key, await plain({ ...view, ...(language !== 'text' && { plain: 'large' }) }, etag))
    if (failed.has(key)) return notHighlighted(view, 'failed')
    return late.has(key) ? notHighlighted(view, 'late') : highlighted(key, asked)
  }

  /** A text too large to be highlighted looks alike in every language. */
  const languageOf = (paste: StoredPaste, language = paste.language) => {
    const isPlainAnyway = language !== 'text' && !highlighter.isHighlightable(paste.text, language)
    return isPlainAnyway ? paste.language : language
  }

  return {
    languageOf,

    /** The page as it is asked for, if it is finished already. @param revision of the paste */
    find: (revision: string, view: Omit<PageAsked, 'etag'>): Body | undefined => {
      const body = pages.get(keyOf(revision, view))
      onPageLookup(body !== undefined)
      return body
    },

    render: (revision: string, asked: PageAsked): Promise<Body> => {
      const key = keyOf(revision, asked)
      return shared(key, () => make(key, asked))
    },
  }
}
