import { LRUCache } from 'lru-cache'
import { invalid } from '../../errors.ts'
import type { Highlighter } from '../../highlight/highlighter.ts'
import { findLanguage } from '../../highlight/languages/languages.ts'
import { type Lines, renderPlain } from '../../highlight/render.ts'
import { type Body, blobOf, createBody, heldBytes, isBrowser } from '../../http/answers/negotiate.ts'
import { createFlights } from '../../http/answers/prepared.ts'
import { negotiated, pageHeaders } from '../../http/answers/respond.ts'
import type { StoredPaste } from '../../items/paste.ts'
import { type PasteView, viewOf } from './paste-view.ts'

export type PasteRendererParts = {
  highlighter: Highlighter
  cacheBytes: number
  /** Called for each lookup of a page in the cache. */
  onPageLookup?: ((isHit: boolean) => void) | undefined
}

/** A failure is remembered, so it is not repeated on each read, but not for long: the machine may just have been busy. */
const failureKeepMs = 60_000
const mostFailures = 1000

/** Plain pages of longer texts are made one at a time, because each takes about 30 MB meanwhile. */
const largeChars = 256 * 1024

export const pastePageHeaders = { ...pageHeaders, ...negotiated }

/** The language in the address, or, if that is unknown, the nearest known one. */
export type LanguageAsked = { language?: string; nearest?: string }

const nothingAsked: LanguageAsked = {}

/**
 * The language in the address. A person who mistyped it still gets the page, with a notice of the nearest one.
 * @throws {AppError} `invalid` for an unknown language, for programs and before a read is consumed
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

/** A requested page: the revision of its paste, the language and the notice. */
export type PageAsked = Omit<PasteView, 'plain'> & { revision: string }

/** Usually just the revision, because a joined string has to be hashed at each lookup. */
const keyOf = ({ revision, paste, language, nearest }: PageAsked) => {
  if (nearest !== undefined) return `${revision}/${language}?${nearest}`
  return language === paste.language ? revision : `${revision}/${language}`
}

const bodyOf = async (view: PasteView, lines: Lines, etag: string | undefined) =>
  createBody(await blobOf(viewOf(view, lines)), pastePageHeaders, etag)

/** Caches finished pages, limited by bytes. Each is made once, however many clients ask. */
const createPages = (cacheBytes: number) => {
  const pages = new LRUCache<string, Body>({ maxSize: cacheBytes, sizeCalculation: heldBytes })
  const { shared, oneAtATime } = createFlights<Body>()
  const keep = (key: string, body: Body) => {
    pages.set(key, body)
    return body
  }
  const plain = (view: PasteView, etag?: string) => {
    const make = async () => bodyOf(view, await renderPlain(view.paste.text, view.language), etag)
    return view.paste.text.length > largeChars ? oneAtATime(make) : make()
  }
  return {
    find: (key: string) => pages.get(key),
    keep,
    plain,
    shared,
    /** A plain page in the paste's own language, shared by all languages. It has no entity tag, so no client keeps it. */
    notHighlighted: async ({ revision, paste, nearest }: PageAsked, why: 'late' | 'failed') => {
      const key = `${revision}/${why}!${nearest ?? ''}`
      const view = { paste, language: paste.language, plain: why, ...(nearest !== undefined && { nearest }) }
      return pages.get(key) ?? shared(key, async () => keep(key, await plain(view)))
    },
  }
}

/** Renders the pages of pastes when they are first requested. */
export const createPasteRenderer = ({ highlighter, cacheBytes, onPageLookup }: PasteRendererParts) => {
  const pages = createPages(cacheBytes)
  const failed = new LRUCache<string, true>({ max: mostFailures, ttl: failureKeepMs, ttlResolution: 0 })
  /** Pages still being highlighted, whose readers got a plain page. */
  const late = new Set<string>()

  const keepLate = async (
    key: string,
    asked: PageAsked,
    etag: string,
    later: ReturnType<Highlighter['highlight']>,
  ) => {
    late.add(key)
    const { lines, isFailed } = await later
    if (lines) pages.keep(key, await bodyOf(asked, lines, etag))
    if (isFailed) failed.set(key, true)
    late.delete(key)
  }

  const make = async (key: string, asked: PageAsked, etag: string): Promise<Body> => {
    const { paste, language } = asked
    if (!highlighter.isHighlightable(paste.text, language)) {
      const view = language === 'text' ? asked : { ...asked, plain: 'large' as const }
      return pages.keep(key, await pages.plain(view, etag))
    }
    if (failed.has(key)) return pages.notHighlighted(asked, 'failed')
    if (late.has(key)) return pages.notHighlighted(asked, 'late')
    const isOwn = language === paste.language
    const { lines, isFailed, later } = await highlighter.highlight(paste.text, language, isOwn)
    if (lines) return pages.keep(key, await bodyOf(asked, lines, etag))
    if (isFailed) failed.set(key, true)
    if (later) keepLate(key, asked, etag, later)
    return pages.notHighlighted(asked, isFailed ? 'failed' : 'late')
  }

  return {
    /** The paste's own language for a text too large to highlight: its page is the same in every language. */
    languageOf: (paste: StoredPaste, language = paste.language) => {
      const isPlainAnyway =
        language !== 'text' &&
        language !== paste.language &&
        !highlighter.isHighlightable(paste.text, language)
      return isPlainAnyway ? paste.language : language
    },

    /** The requested page, if it is in the cache. */
    find: (asked: PageAsked): Body | undefined => {
      const body = pages.find(keyOf(asked))
      onPageLookup?.(body !== undefined)
      return body
    },

    render: (asked: PageAsked, etag: string): Promise<Body> => {
      const key = keyOf(asked)
      return pages.shared(key, () => make(key, asked, etag))
    },
  }
}
