import { LRUCache } from 'lru-cache'
import { PastePage } from '../../views/paste-page.tsx'
import { invalid } from '../errors.ts'
import { fileNameOf } from '../highlight/file-names.ts'
import type { Highlighter } from '../highlight/highlighter.ts'
import { findLanguage, languageName } from '../highlight/languages.ts'
import { countLines } from '../highlight/render.ts'
import type { StoredPaste } from '../schema.ts'
import { siteAt } from './assets.ts'
import { type Body, heldBytes } from './encoding.ts'
import { dateFacts, formatLines, formatSize } from './format.ts'
import { entityTag } from './respond.ts'

export type PasteRendererParts = { highlighter: Highlighter; cacheBytes: number }

/** @throws {AppError} `invalid` */
const languageAsked = (asked: string) => {
  const language = findLanguage(asked)
  if ('nearest' in language)
    throw invalid(`"lang" is not a known language; the nearest one is "${language.nearest}"`)
  return language.id
}

/** Finished pages, each made once and kept by its bytes. */
export const createPasteRenderer = ({ highlighter, cacheBytes }: PasteRendererParts) => {
  const cache = new LRUCache<string, Body>({ maxSize: cacheBytes, sizeCalculation: heldBytes })

  const render = async (paste: StoredPaste, language: string, key: string): Promise<Body> => {
    const { id, title, description, text } = paste
    const { html, isFinal } = await highlighter.render(text, language)
    const view = PastePage({
      site: siteAt('../'),
      id,
      title,
      description,
      language: languageName(language),
      size: formatSize(Buffer.byteLength(text)),
      lines: formatLines(countLines(text)),
      ...dateFacts(paste.createdAt),
      codeHtml: html,
      fileName: fileNameOf(id, title, language),
    })
    const identity = new TextEncoder().encode(view as string)
    const body = { identity, etag: entityTag(identity) }
    if (isFinal) cache.set(key, body)
    return body
  }

  /** @param asked another language to read it in. @throws {AppError} `invalid` */
  return (paste: StoredPaste, asked: string | null): Body | Promise<Body> => {
    const language = asked === null ? paste.language : languageAsked(asked)
    const key = `${paste.id}/${language}`
    return cache.get(key) ?? render(paste, language, key)
  }
}
