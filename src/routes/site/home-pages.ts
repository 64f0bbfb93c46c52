import { LRUCache } from 'lru-cache'
import type { Typed } from '../../../views/form-props.ts'
import { HomePage, type HomePageProps } from '../../../views/home-page.tsx'
import type { Tab } from '../../../views/layout.tsx'
import type { ResultProps } from '../../../views/result.tsx'
import { languageText, usesText } from '../../form-words.ts'
import { expiryFacts } from '../../format.ts'
import { languageChoices, languageName } from '../../highlight/languages/languages.ts'
import { escapeText, piecesOf } from '../../highlight/show-text.ts'
import { createFlights, pageHeaders } from '../../http/answers.ts'
import type { SiteAt } from '../../http/assets.ts'
import { createKeptText } from '../../http/memory.ts'
import { blobOf } from '../../http/negotiate.ts'
import type { Sender } from '../../http/who.ts'
import { sentRows } from '../../items/field.ts'
import type { StoredLink } from '../../items/link.ts'
import { pasteTable, type StoredPaste } from '../../items/paste.ts'
import { versionOf } from '../../items/versions.ts'
import type { LifetimeChoice } from '../../services/options.ts'
import type { Pastes } from '../../services/pastes.ts'
import { burningPaste } from '../items/burn-after-reading.ts'
import { createEditPages } from '../items/edit-pages.ts'
import { controls } from './form-fields.ts'

export type HomePagesParts = {
  pastes: Pick<Pastes, 'find' | 'isBurning'>
  lifetimes: readonly LifetimeChoice[]
  /** Those of the page that changes an item. */
  changedLifetimes: readonly LifetimeChoice[]
  maxPasteBytes: number
  siteAt: SiteAt
  /** Makes a random word that cannot be guessed. */
  makeToken: () => string
}

/** One word for each sender. */
const wordOf = (sender: Sender | undefined) => (sender?.as === 'user' ? `user:${sender.name}` : sender?.as)

/** The fields that "Edit as new" copies, apart from the text. */
const contentOf = (paste: StoredPaste): Typed =>
  Object.fromEntries(
    sentRows(pasteTable).flatMap(([name, { isContent }]) => {
      const value = (paste as Readonly<Record<string, unknown>>)[name]
      return isContent && name !== 'text' && value !== undefined ? [[name, String(value)]] : []
    }),
  )

/** Escaping this many characters blocks the server for 1 ms. */
const pieceChars = 64 * 1024

/** Memory for forms filled with a paste. */
const maxCopiesBytes = 8 * 1024 ** 2

type Render = (extra: Partial<HomePageProps>) => string

/**
 * A form of a page without referrers has the origin `null`, as one of a hostile page may have. So the page of who needs no
 * key names itself to its own server.
 */
export const homeHeaders = (sender: Sender | undefined) =>
  sender ? { ...pageHeaders, 'Referrer-Policy': 'same-origin' } : pageHeaders

/** Empty pages that are kept, for each tab and sender; each takes 0.1 MB. */
const mostKept = 60

/** "Edit as new": the form, filled with a paste. */
const createCopies = (
  { pastes, makeToken }: Pick<HomePagesParts, 'pastes' | 'makeToken'>,
  render: Render,
) => {
  const { oneAtATime, shared } = createFlights<Blob>()
  /** By the paste's id and version; slow readers share a copy. */
  const copies = new LRUCache<string, Blob>({
    maxSize: maxCopiesBytes,
    // A larger copy replaces the whole cache.
    sizeCalculation: ({ size }) => Math.min(maxCopiesBytes, size),
  })

  function* pieces(typed: Typed, text: string, sender: Sender | undefined) {
    // Placeholder for the text; random, so no title can contain it.
    const place = makeToken()
    const [before = '', after = ''] = render({ typed: { ...typed, text: place }, sender }).split(place)
    yield before
    for (const piece of piecesOf(text, pieceChars)) yield escapeText(piece)
    yield after
  }

  /** @throws {AppError} `forbidden` for a paste that burns after reading */
  return async ({ method }: Request, name: string, sender: Sender | undefined) => {
    const paste = await pastes.find(name)
    if (pastes.isBurning(paste)) throw burningPaste(paste)
    const headers = homeHeaders(sender)
    if (method === 'HEAD') return new Response(null, { headers })
    const copy = `${paste.id} ${versionOf(paste)} ${wordOf(sender)}`
    const make = async () => {
      const body = await oneAtATime(() => blobOf(pieces(contentOf(paste), paste.text, sender)))
      copies.set(copy, body)
      return body
    }
    return new Response(copies.get(copy) ?? (await shared(copy, make)), { headers })
  }
}

/** What a form created. */
type Created = {
  item: StoredPaste | StoredLink
  /** Id or alias. */
  name: string
  answer: { rawUrl?: string; deletionUrl?: string; language?: string }
}

/** The start page: empty, filled with what was typed or with a paste, or showing what was created. */
export const createHomePages = (parts: HomePagesParts) => {
  const { lifetimes, maxPasteBytes, siteAt } = parts
  const common = {
    site: siteAt('./'),
    controls,
    languages: languageChoices,
    lifetimes,
    maxBytes: maxPasteBytes,
  }
  const render: Render = (extra) => HomePage({ ...common, ...extra }) as string
  const copyOf = createCopies(parts, render)
  // The page contains no address, so it is the same for all of them.
  const emptyPages = new LRUCache<string, ReturnType<typeof createKeptText>>({ max: mostKept })
  const emptyFor = (sender: Sender | undefined, tab: Tab) => {
    const name = `${tab} ${wordOf(sender)}`
    const kept = emptyPages.get(name) ?? createKeptText(homeHeaders(sender), () => render({ sender, tab }))
    emptyPages.set(name, kept)
    return kept
  }
  const edit = createEditPages(parts)

  const resultOf = ({ item, name, answer }: Created, url: string): ResultProps => {
    const { rawUrl, deletionUrl, language } = answer
    const kind = 'url' in item ? 'link' : 'paste'
    const left = 'url' in item ? item.visitsLeft : item.readsLeft
    return {
      site: siteAt('./'),
      kind,
      name: 'url' in item ? item.url : item.title || 'Untitled paste',
      ...{ url, deletionUrl },
      rawUrl: left === undefined ? rawUrl : undefined,
      qr: `qr/${kind === 'paste' ? 'p' : 's'}/${name}`,
      ...expiryFacts(item),
      uses: usesText(kind, left),
      found: languageText(language, languageName(language ?? '')),
    }
  }

  return {
    /** The page, filled with what was typed. */
    filled: (typed: Typed, tab: Tab, failure: HomePageProps['failure'], sender: Sender | undefined) =>
      render({ typed, tab, sender, ...(failure && { failure }) }),

    /** The page with the addresses of what was created. */
    created: (created: Created, url: string, sender: Sender | undefined) => {
      const result = resultOf(created, url)
      return render({ result, tab: result.kind, sender })
    },

    /** `GET /`, `?link`, `?items`, or with `?from=<paste>`, `?edit=<paste>` or `?link&edit=<link>` */
    answer: async (request: Request, sender: Sender | undefined): Promise<Response> => {
      const query = request.url.includes('?') ? new URL(request.url).searchParams : undefined
      const from = query?.get('from')
      if (query?.has('edit')) return edit(query.has('link') ? 'link' : 'paste', sender)(request, '')
      if (from) return copyOf(request, from, sender)
      const tab = query?.has('link') ? 'link' : query?.has('items') ? 'items' : 'paste'
      return emptyFor(sender, tab)(request, '')
    },
  }
}
