import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { PastePage } from '../../views/paste-page.tsx'
import { invalid } from '../errors.ts'
import { fileNameOf } from '../highlight/file-names.ts'
import type { Highlighter } from '../highlight/highlighter.ts'
import { findLanguage, languageName } from '../highlight/languages.ts'
import { countLines } from '../highlight/render.ts'
import type { StoredPaste } from '../schema.ts'
import { nameOf } from '../urls.ts'
import { siteAt } from './assets.ts'
import { type Body, createBody, heldBytes } from './encoding.ts'
import { dateFacts, expiryFacts, formatLines, formatSize } from './format.ts'
import { entityTag, negotiated, pageHeaders } from './respond.ts'

export type PasteRendererParts = {
  highlighter: Highlighter
  cacheBytes: number
  /** Told whether a page was found finished. */
  onPageLookup: (isHit: boolean) => void
}

/** The language that the reader wants to read in, if any. @throws {AppError} `invalid` */
export const languageAsked = ({ url }: Request) => {
  const asked = url.includes('?') ? new URL(url).searchParams.get('lang') : null
  if (asked === null) return undefined
  const language = findLanguage(asked)
  if ('nearest' in language)
    throw invalid(`"lang" is not a known language; the nearest one is "${language.nearest}"`)
  return language.id
}

/** The page of a paste. */
export const viewOf = (paste: StoredPaste, language: string, codeHtml: string) => {
  const { title, description, text, readsLeft } = paste
  const name = nameOf(paste)
  return PastePage({
    site: siteAt('../'),
    name,
    title,
    description,
    language: languageName(language),
    size: formatSize(Buffer.byteLength(text)),
    lines: formatLines(countLines(text)),
    ...dateFacts(paste.createdAt),
    ...expiryFacts(paste),
    codeHtml,
    fileName: fileNameOf(name, title, language),
    readsLeft,
  }) as string
}

/** Of 1 MB, each step makes the server busy for 2 ms or more: others are answered in between. */
const bodyOf = async (paste: StoredPaste, language: string, codeHtml: string) => {
  await nextTurn()
  const html = viewOf(paste, language, codeHtml)
  await nextTurn()
  return createBody(html, { ...pageHeaders, ...negotiated }, entityTag(html))
}

/** Finished pages, each made once and kept by its bytes. */
export const createPasteRenderer = ({ highlighter, cacheBytes, onPageLookup }: PasteRendererParts) => {
  const cache = new LRUCache<string, Body>({ maxSize: cacheBytes, sizeCalculation: heldBytes })

  /** A text that is put together has to be hashed each time; most pages are in the paste's own language. */
  const keyOf = ({ id, language: own }: StoredPaste, language: string) =>
    language === own ? id : `${id}/${language}`

  const keep = (key: string, body: Body, keepMs: number) => {
    if (keepMs > 0) cache.set(key, body, { ttl: Number.isFinite(keepMs) ? keepMs : 0 })
  }

  const render = async (paste: StoredPaste, language: string, key: string): Promise<Body> => {
    const { html, keepMs, later } = await highlighter.render(paste.text, language)
    const body = await bodyOf(paste, language, html)
    keep(key, body, keepMs)
    later?.then(async (rendering) => {
      const isSame = rendering.html === html
      keep(key, isSame ? body : await bodyOf(paste, language, rendering.html), rendering.keepMs)
    })
    return body
  }

  return {
    /** The page in the paste's own language, if it is finished already. */
    peek: (paste: StoredPaste): Body | undefined => {
      const body = cache.get(keyOf(paste, paste.language))
      // Who finds none goes on to ask for it, and is counted there.
      if (body) onPageLookup(true)
      return body
    },

    /** @param language another one to read it in */
    render: (paste: StoredPaste, language = paste.language): Body | Promise<Body> => {
      const key = keyOf(paste, language)
      const body = cache.get(key)
      onPageLookup(body !== undefined)
      return body ?? render(paste, language, key)
    },
  }
}
