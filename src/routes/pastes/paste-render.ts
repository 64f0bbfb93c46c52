import { LRUCache } from 'lru-cache'
import type { Site } from '../../../views/layout.tsx'
import { createTidy } from '../../collector.ts'
import type { Highlighter } from '../../highlight/highlighter.ts'
import { type Job, type Lines, renderPlain } from '../../highlight/lines.ts'
import { isOfWord } from '../../highlight/log.ts'
import { createFlights, negotiated, pageHeaders } from '../../http/answers.ts'
import type { SiteAt } from '../../http/assets.ts'
import { createAttempts, type Missing } from '../../http/memory.ts'
import { type Body, blobOf, createBody, heldBytes } from '../../http/negotiate.ts'
import type { StoredPaste } from '../../items/paste.ts'
import { fitted, keptChars, pageAsked, searchOf } from './page-asked.ts'
import { type PasteView, variantOf, viewOf, withoutColours } from './paste-view.ts'

export type PasteRendererParts = {
  highlighter: Highlighter
  cacheBytes: number
  siteAt: SiteAt
  /** Called for each lookup of a page in the cache. */
  onPageLookup?: ((isHit: boolean) => void) | undefined
}

/** Plain pages of longer texts are made one at a time, because each takes about 30 MB meanwhile. */
const largeChars = 256 * 1024

export const pastePageHeaders = { ...pageHeaders, ...negotiated }

/** A requested page: the revision of its paste, what it shows and its notices. */
export type PageAsked = Omit<PasteView, 'plain'> & {
  revision: string
  /** Distinguishes it from every other page of any paste. */
  key: string
}

/** The page that a paste usually has. */
export const usualPage = (paste: StoredPaste, revision: string): PageAsked => ({
  paste,
  revision,
  language: paste.language,
  key: revision,
})

/** Jobs in other languages and for words have no end: they come after the others. */
const isUsual = (asked: Pick<PageAsked, 'language' | 'paste' | 'show'>) =>
  asked.language === asked.paste.language && !isOfWord(asked)

/** True for the few pages of a paste that many clients may ask for: the text, its view and levels, in its own language. */
export const isOfFew = (asked: PageAsked) =>
  isUsual(asked) && asked.nearest === undefined && asked.ignored === undefined

/** What a query asks of a paste. Building it takes longer than to find a finished page. */
const createAsking = (languageOf: (paste: StoredPaste, language?: string) => string) => {
  /** For each paste, its last query for one of few pages. */
  const last = new WeakMap<StoredPaste, { search: string; asked: PageAsked }>()
  return (request: Request, paste: StoredPaste, revision: string): PageAsked => {
    const search = searchOf(request)
    const known = last.get(paste)
    if (known?.search === search) return known.asked
    const query = pageAsked(request, search)
    const language = languageOf(paste, query.language)
    const { nearest } = query
    const page = { paste, language, ...(nearest !== undefined && { nearest }), ...fitted(query, language) }
    // One string for all requests, because a joined one has to be hashed at each lookup.
    const asked = { ...page, revision, key: revision + variantOf(page, paste.language) }
    if (isOfFew(asked) && search.length <= keptChars) last.set(paste, { search, asked })
    return asked
  }
}

/** What the highlighter can do of a job: lines with a word can do without colours, in a text that is too large for them. */
export const feasible = (
  { isHighlightable }: Pick<Highlighter, 'isHighlightable'>,
  job: Job,
): Job | undefined => [job, ...(isOfWord(job) ? [{ ...job, language: 'text' }] : [])].find(isHighlightable)

type BodyOf = (view: PasteView, lines: Lines, etag: string | undefined) => Promise<Body>

const bodiesAt =
  (site: Site): BodyOf =>
  async (view, lines, etag) =>
    createBody(await blobOf(viewOf(site, view, lines)), pastePageHeaders, etag)

/** Caches finished pages, limited by bytes. Each is made once, however many clients ask. */
const createPages = (cacheBytes: number, bodyOf: BodyOf) => {
  const pages = new LRUCache<string, Body>({ maxSize: cacheBytes, sizeCalculation: heldBytes })
  const { shared, oneAtATime } = createFlights<Body>()
  const tidy = createTidy()
  const keep = (key: string, body: Body) => {
    pages.set(key, body)
    return body
  }
  /** The whole text without colours, which the server renders itself. */
  const plain = async (key: string, view: PasteView, etag?: string) => {
    const { text } = view.paste
    const make = async () => {
      const body = await bodyOf(view, await renderPlain(text, view.language), etag)
      tidy(text.length)
      return keep(key, body)
    }
    return text.length <= largeChars ? make() : oneAtATime(make)
  }
  return {
    find: (key: string) => pages.get(key),
    keep,
    plain,
    shared,
    /** A page in the paste's own language, shared by all languages. It has no entity tag, so no client keeps it. */
    notHighlighted: async ({ revision, paste, nearest, ignored, show }: PageAsked, why: Missing) => {
      const notices = { ...(nearest !== undefined && { nearest }), ...(ignored && { ignored }) }
      const view = { paste, language: paste.language, ...notices, ...withoutColours(why, show) }
      const key = `${revision}/${why}!${view.missing}${variantOf(view, paste.language)}`
      return pages.get(key) ?? shared(key, () => plain(key, view))
    },
  }
}

/** Renders the pages of pastes when they are first requested. */
export const createPasteRenderer = ({
  highlighter,
  cacheBytes,
  siteAt,
  onPageLookup,
}: PasteRendererParts) => {
  const bodyOf = bodiesAt(siteAt('../'))
  const pages = createPages(cacheBytes, bodyOf)
  const attempt = createAttempts()
  const tidy = createTidy()

  const make = async (asked: PageAsked, etag: string): Promise<Body> => {
    const { key, paste, language, show, ...notices } = asked
    if (language === 'text' && !show) return pages.plain(key, asked, etag)
    const whole = { text: paste.text, language, ...(show && { show }) }
    const job = feasible(highlighter, whole)
    if (!job) return pages.plain(key, { ...notices, paste, language, ...withoutColours('large', show) }, etag)
    const view: PasteView = job === whole ? asked : { ...asked, plain: 'large' }
    const keep = async (lines: Lines) => {
      const body = await bodyOf(view, lines, etag)
      tidy(body.plain.size)
      return pages.keep(key, body)
    }
    const lines = await attempt(key, () => highlighter.highlight(job, isUsual(asked)), keep)
    return typeof lines === 'string' ? pages.notHighlighted(asked, lines) : keep(lines)
  }

  /** The paste's own language for a text too large to highlight: its page is the same in every language. */
  const languageOf = (paste: StoredPaste, language = paste.language) =>
    language === 'text' ||
    language === paste.language ||
    highlighter.isHighlightable({ text: paste.text, language })
      ? language
      : paste.language

  return {
    askedOf: createAsking(languageOf),

    /** The requested page, if it is in the cache. */
    find: (asked: PageAsked): Body | undefined => {
      const body = pages.find(asked.key)
      onPageLookup?.(body !== undefined)
      return body
    },

    render: (asked: PageAsked, etag: string): Promise<Body> =>
      pages.shared(asked.key, () => make(asked, etag)),
  }
}
