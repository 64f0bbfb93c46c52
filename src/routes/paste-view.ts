import { PastePage } from '../../views/paste-page.tsx'
import { fileNameOf } from '../highlight/file-names.ts'
import { languageName } from '../highlight/languages.ts'
import { plainPieces } from '../highlight/plain.ts'
import { isCut, type Lines, renderTokens } from '../highlight/render.ts'
import type { StoredPaste } from '../schema.ts'
import { nameOf } from '../urls.ts'
import { siteAt } from './assets.ts'
import { dateFacts, expiryFacts, formatLines, formatSize } from './format.ts'

/** What a title and a description may have today; older ones may be as long as a text, and a page shows each twice. */
const shownChars = { title: 1024, description: 8192 }

const beginning = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most)}…`)

/** Marks the place of the lines. Nothing else on the page looks so: `<` is escaped in text, and `"` in attributes. */
const place = '<!--"lines"-->'

/** The page of a paste, in pieces: its lines are up to 10 MB. */
export function* viewOf(paste: StoredPaste, language: string, lines: Lines): Generator<string> {
  const [before = '', after = ''] = frameOf(paste, language, lines).split(place)
  yield before
  yield* lines.html
  yield after
}

const frameOf = (paste: StoredPaste, language: string, lines: Lines) => {
  const { title, description, text, readsLeft } = paste
  const name = nameOf(paste)
  return PastePage({
    site: siteAt('../'),
    name,
    title: beginning(title, shownChars.title),
    description: beginning(description, shownChars.description),
    language: languageName(language),
    size: formatSize(Buffer.byteLength(text)),
    lines: formatLines(lines.total),
    ...dateFacts(paste.createdAt),
    ...expiryFacts(paste),
    codeHtml: place,
    cut: isCut(lines) ? lines : undefined,
    fileName: fileNameOf(name, title, language),
    readsLeft,
  }) as string
}

const sample: StoredPaste = {
  ...{ id: 'a', createdAt: 0, owner: 'a', deletionHash: '', expiresAt: 1 },
  ...{ text: 'a < b\r\n', title: 'a', description: 'b', language: 'text' },
}

/** A page that holds what every page is made of: another program makes another one. */
export const samplePage = () => {
  const tokens = [[{ content: 'a', color: 'a', fontStyle: 15 }, { content: ' < b' }]]
  const { html } = renderTokens(sample.text, tokens, (colour) => colour)
  const lines = { html: [...plainPieces(sample.text), ...html], shown: 1, total: 2, isPartial: true }
  return [...viewOf(sample, sample.language, lines)].join('')
}
