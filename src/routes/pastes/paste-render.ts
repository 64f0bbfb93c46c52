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
  /** Told whether a page was found finished. */
  onPageLookup?: ((isHit: boolean) => void) | undefined
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
 * @throws {AppError} `invalid` for one that is not known, to a program and where a read would be consumed
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

/** A page as it is asked for: of which content of a paste, in which language, with which notice. */
export type PageAsked = Omit<PasteView, 'plain'> & { revision: string }

/** A text that is put together has to be hashed each time; most pages are in the paste's own language. */
const keyOf = ({ revision, paste, language, nearest }: PageAsked) => {
  if (nearest !== undefined) return `${revision}/${language}?${nearest}`
  return language === paste.language ? revision : `${revision}/${language}`
}

const bodyOf = async (view: PasteView, lines: Lines, etag: string | undefined) =>
  createBody(await blobOf(viewOf(view, lines)), pastePageHeaders, etag)

/** Finished pages, each made once, however many ask for it, and kept by its bytes. */
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
    /** In the paste's own language, whatever was asked for: one for all languages. No client may take it for the highlighted one. */
    notHighlighted: async ({ revision, paste, nearest }: PageAsked, why: 'late' | 'failed') => {
      const key = `${revision}/${why}!${nearest ?? ''}`
      const view = { paste, language: paste.language, plain: why, ...(nearest !== undefined && { nearest }) }
      return pages.get(key) ?? shared(key, async () => keep(key, await plain(view)))
    },
  }
}

/** The pages of pastes, made when they are first asked for. */
export const createPasteRenderer = ({ highlighter, cacheBytes, onPageLookup }: PasteRendererParts) => {
  const pages = createPages(cacheBytes)
  const failed = new LRUCache<string, true>({ max: mostFailures, ttl: failureKeepMs, ttlResolution: 0 })
  /** Pages whose highlighting goes on, though their readers were answered. */
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
    /** A text too large to be highlighted looks alike in every language. */
    languageOf: (paste: StoredPaste, language = paste.language) => {
      const isPlainAnyway =
        language !== 'text' &&
        language !== paste.language &&
        !highlighter.isHighlightable(paste.text, language)
      return isPlainAnyway ? paste.language : language
    },

    /** The page as it is asked for, if it is finished already. */
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
