import { LRUCache } from 'lru-cache'
import { invalid } from '../errors.ts'
import type { Highlighter } from '../highlight/highlighter.ts'
import { findLanguage } from '../highlight/languages.ts'
import { renderPlain } from '../highlight/plain.ts'
import type { Lines } from '../highlight/render.ts'
import type { StoredPaste } from '../schema.ts'
import { type Body, blobOf, createBody, heldBytes } from './encoding.ts'
import { createFlights } from './flights.ts'
import { knownRevision, revisionOf } from './paste-revision.ts'
import { viewOf } from './paste-view.ts'
import { negotiated, pageHeaders } from './respond.ts'

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

/** The language that the reader wants to read in, if any. @throws {AppError} `invalid` */
export const languageAsked = ({ url }: Request) => {
  const asked = url.includes('?') ? new URL(url).searchParams.get('lang') : null
  if (asked === null) return undefined
  const language = findLanguage(asked)
  if ('nearest' in language)
    throw invalid(`"lang" is not a known language; the nearest one is "${language.nearest}"`)
  return language.id
}

const bodyOf = async (paste: StoredPaste, language: string, lines: Lines, etag: string | undefined) =>
  createBody(await blobOf(viewOf(paste, language, lines)), pastePageHeaders, etag)

/** A page as it is asked for: whose, in which language, under which entity tag. */
export type PageAsked = { paste: StoredPaste; language: string; etag: string }

/** Finished pages, each made once, however many ask for it, and kept by its bytes. */
export const createPasteRenderer = ({ highlighter, cacheBytes, onPageLookup }: PasteRendererParts) => {
  const pages = new LRUCache<string, Body>({ maxSize: cacheBytes, sizeCalculation: heldBytes })
  const failed = new LRUCache<string, true>({ max: mostFailures, ttl: failureKeepMs, ttlResolution: 0 })
  /** Pages whose highlighting goes on, though their readers were answered. */
  const late = new Set<string>()
  const { shared, oneAtATime } = createFlights<Body>()

  /** A text that is put together has to be hashed each time; most pages are in the paste's own language. */
  const keyOf = (revision: string, { language: own }: StoredPaste, language: string) =>
    language === own ? revision : `${revision}/${language}`

  const keep = (key: string, body: Body) => {
    pages.set(key, body)
    return body
  }

  const plain = async ({ paste, language, etag }: Omit<PageAsked, 'etag'> & { etag?: string }) => {
    const make = async () => bodyOf(paste, language, await renderPlain(paste.text, language), etag)
    return paste.text.length > largeChars ? oneAtATime(make) : make()
  }

  /** In the paste's own language, whatever was asked for: one for all. No client may take it for the highlighted one. */
  const notHighlighted = async (paste: StoredPaste) => {
    const key = `${await revisionOf(paste)}/`
    const { language } = paste
    return pages.get(key) ?? shared(key, async () => keep(key, await plain({ paste, language })))
  }

  const keepLate = async (
    key: string,
    { paste, language, etag }: PageAsked,
    later: ReturnType<Highlighter['highlight']>,
  ) => {
    late.add(key)
    const { lines, isFailed } = await later
    if (lines) keep(key, await bodyOf(paste, language, lines, etag))
    if (isFailed) failed.set(key, true)
    late.delete(key)
  }

  const highlighted = async (key: string, asked: PageAsked): Promise<Body> => {
    const { paste, language, etag } = asked
    const { lines, isFailed, later } = await highlighter.highlight(
      paste.text,
      language,
      language === paste.language,
    )
    if (lines) return keep(key, await bodyOf(paste, language, lines, etag))
    if (isFailed) failed.set(key, true)
    if (later) keepLate(key, asked, later)
    return notHighlighted(paste)
  }

  const make = async (key: string, asked: PageAsked): Promise<Body> => {
    if (!highlighter.isHighlightable(asked.paste.text, asked.language)) return keep(key, await plain(asked))
    if (late.has(key) || failed.has(key)) return notHighlighted(asked.paste)
    return highlighted(key, asked)
  }

  /** A text too large to be highlighted looks alike in every language. */
  const languageOf = (paste: StoredPaste, language = paste.language) => {
    const isPlainAnyway = language !== 'text' && !highlighter.isHighlightable(paste.text, language)
    return isPlainAnyway ? paste.language : language
  }

  return {
    languageOf,

    /** The page in the paste's own language, if it is finished already. */
    peek: (paste: StoredPaste): Body | undefined => {
      const revision = knownRevision(paste)
      const body = revision === undefined ? undefined : pages.get(revision)
      // Who finds none goes on to ask for it, and is counted there.
      if (body) onPageLookup(true)
      return body
    },

    /** The page in this language, if it is finished already. @param revision of the paste */
    find: (revision: string, paste: StoredPaste, language: string): Body | undefined => {
      const body = pages.get(keyOf(revision, paste, language))
      onPageLookup(body !== undefined)
      return body
    },

    render: (revision: string, asked: PageAsked): Promise<Body> => {
      const key = keyOf(revision, asked.paste, asked.language)
      return shared(key, () => make(key, asked))
    },
  }
}
