import { LRUCache } from 'lru-cache'
import { PastePage } from '../../views/paste-page.tsx'
import type { Highlighter } from '../highlight/highlighter.ts'
import { languageName } from '../highlight/languages.ts'
import { countLines } from '../highlight/render.ts'
import type { PublicPaste, StoredPaste } from '../schema.ts'
import type { Pastes } from '../services/pastes.ts'
import { siteAt } from './assets.ts'
import { dateFacts, formatLines, formatSize } from './format.ts'
import { resource } from './resource.ts'
import {
  conditional,
  entityTag,
  jsonHeaders,
  pageHeaders,
  preferredForm,
  rawHeaders,
  revalidate,
} from './respond.ts'

export type PastePagesParts = { pastes: Pastes; highlighter: Highlighter; cacheBytes: number }

const negotiated = { ...revalidate, Vary: 'Accept' }

type Page = { body: Uint8Array<ArrayBuffer>; etag: string }

const rawAnswer = (request: Request, paste: StoredPaste) =>
  conditional(request, paste.text, entityTag(paste.text), { ...rawHeaders, ...negotiated })

const jsonAnswer = (request: Request, paste: StoredPaste) => {
  const { id, title, description, language, text } = paste
  const { createdAt } = dateFacts(paste.createdAt)
  const body = JSON.stringify({ id, title, description, language, text, createdAt } satisfies PublicPaste)
  return conditional(request, body, entityTag(body), { ...jsonHeaders, ...negotiated })
}

/** `GET /p/<id>` in three forms, `GET /p/raw/<id>` */
export const pastePages = ({ pastes, highlighter, cacheBytes }: PastePagesParts) => {
  const cache = new LRUCache<string, Page>({
    maxSize: cacheBytes,
    sizeCalculation: ({ body }) => body.length + 500,
  })

  const renderPage = async (paste: StoredPaste): Promise<Page> => {
    const { html, isFinal } = await highlighter.render(paste.text, paste.language)
    const { id, title, description, text } = paste
    const view = PastePage({
      site: siteAt('../'),
      id,
      title,
      description,
      language: languageName(paste.language),
      size: formatSize(Buffer.byteLength(text)),
      lines: formatLines(countLines(text)),
      ...dateFacts(paste.createdAt),
      codeHtml: html,
      fileName: `${id}.txt`,
    })
    const body = new TextEncoder().encode(view as string)
    const page = { body, etag: entityTag(body) }
    if (isFinal) cache.set(id, page)
    return page
  }

  const pageAnswer = async (request: Request, paste: StoredPaste) => {
    const { body, etag } = cache.get(paste.id) ?? (await renderPage(paste))
    return conditional(request, body, etag, { ...pageHeaders, ...negotiated })
  }

  const answer = { page: pageAnswer, json: jsonAnswer, raw: rawAnswer }

  return resource('/p/:id', {
    get: async ({ request, params }) => {
      const paste = await pastes.find(params.id ?? '')
      return answer[preferredForm(request)](request, paste)
    },
  }).use(
    resource('/p/raw/:id', {
      get: async ({ request, params }) => rawAnswer(request, await pastes.find(params.id ?? '')),
    }),
  )
}
