import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Site } from '../../../views/layout.tsx'
import { PastePage } from '../../../views/paste-page.tsx'
import type { Missing, Plain, ViewChoice } from '../../../views/paste-props.ts'
import { dateFacts, expiryFacts, formatLines, nameOf, sizeText } from '../../format.ts'
import { fileNameOf } from '../../highlight/languages/file-names.ts'
import { languageName, shortChoices, viewOfLanguage } from '../../highlight/languages/languages.ts'
import { around, isCut, type Lines, linesPlace, plainPieces, renderTokens } from '../../highlight/lines.ts'
import type { Show } from '../../highlight/log.ts'
import { replaceInvisible, showText } from '../../highlight/show-text.ts'
import type { SiteAt } from '../../http/assets.ts'
import type { StoredPaste } from '../../items/paste.ts'
import type { TextPart } from '../../items/text/text-part.ts'
import { logFactsOf, queryOf } from './log-facts.ts'
import type { Fitted } from './page-asked.ts'
import type { Form } from './paste-forms.ts'

/** A shorter description fits beside the facts of a paste. */
const lineChars = 100

/** What a page shows apart from the lines. */
export type PasteView = {
  paste: StoredPaste
  /** The language of the page, perhaps not the paste's own. */
  language: string
  /** Why colours are missing, if they are. */
  plain?: Plain
  /** The known language nearest to the one in the address, if that is unknown. */
  nearest?: string
  /** What was asked for instead, and could not be made; comes with `plain`. */
  missing?: Missing | undefined
} & Fitted

/** Distinguishes the pages of one paste: empty for the usual one. */
export const variantOf = (
  { language, nearest, show, ignored }: { language: string; nearest?: string | undefined } & Fitted,
  ownLanguage: string,
) => {
  if (language === ownLanguage && nearest === undefined && !show && !ignored) return ''
  return `/${language}?${nearest ?? ''}${show ? queryOf(show) : ''}${ignored ? `!${ignored}` : ''}`
}

/** What a page says that shows the whole text as it is. */
export const withoutColours = (plain: Plain, show: Show | undefined): { plain: Plain; missing: Missing } => ({
  plain,
  missing: show ? 'view' : 'colours',
})

/** The page of a paste, in pieces. */
export const viewOf = (site: Site, view: PasteView, lines: Lines) => around(frameOf(site, view, lines), lines)

const wordsOf = (paste: StoredPaste) => {
  const { description } = paste
  const title = paste.title || 'Untitled paste'
  return {
    title: replaceInvisible(title),
    titleHtml: showText(title),
    description: replaceInvisible(description),
    descriptionHtml: showText(description),
    isFolded: description.length > lineChars || description.includes('\n'),
  }
}

/** The links to the text and to its view; none for a burn-after-reading paste, as each would be a read. */
const choicesOf = ({ paste, language, show }: PasteView): readonly ViewChoice[] => {
  const view = viewOfLanguage(language)
  if (view === undefined || paste.readsLeft !== undefined) return []
  const lang = language === paste.language ? undefined : language
  const isShown = show !== undefined && 'view' in show
  return [
    { view: 'text', query: queryOf({ lang }), isShown: !isShown },
    { view, query: queryOf({ lang, view }), isShown },
  ]
}

const frameOf = (site: Site, view: PasteView, lines: Lines) => {
  const { paste, language, plain, missing, nearest, show, ignored } = view
  const { title, text, readsLeft } = paste
  const name = nameOf(paste)
  return PastePage({
    site,
    name,
    ...wordsOf(paste),
    language: languageName(language),
    languageId: language,
    languages: shortChoices(language),
    size: sizeText(Buffer.byteLength(text)),
    lines: formatLines(lines.total),
    digits: String(lines.last ?? lines.total).length,
    ...dateFacts(paste),
    ...expiryFacts(paste),
    version: paste.version ?? 1,
    codeHtml: linesPlace,
    cut: isCut(lines) ? { ...lines, total: lines.kept ?? lines.total } : undefined,
    ...((lines.log || show) && logFactsOf(view, lines)),
    plain,
    missing,
    nearestLanguage: nearest,
    view: show && 'view' in show && !lines.refused ? show.view : undefined,
    refused: lines.refused,
    problem: lines.problem,
    views: choicesOf(view),
    ignored,
    isTerminal: language === 'ansi' || (lines.log !== undefined && text.includes('\x1b[')),
    fileName: fileNameOf(name, title, language),
    readsLeft,
  }) as string
}

const sample: StoredPaste = {
  ...{ id: 'a', createdAt: 0, owner: 'a', deletionHash: '', expiresAt: 1 },
  ...{ text: 'a < b\r\n', title: 'a', description: 'b', language: 'text' },
}

/** Pages with every part a page may have. Their hash changes when a new program renders pages differently. */
const samplePages = (site: Site) => {
  const tokens = [
    [
      { content: 'a', classes: 'a b' },
      { content: ' < b\u202e', classes: '' },
    ],
  ]
  const { html } = renderTokens(sample.text, tokens, { grep: 'a' })
  const show = { level: 'error', grep: 'a' } as const
  const lines = { html: [...plainPieces(sample.text), ...html], shown: 1, total: 2, isPartial: true }
  const notices = { plain: 'failed', missing: 'view', nearest: 'a', ignored: 'view' } as const
  const view = { paste: sample, language: 'markdown', show: { view: 'preview' }, ...notices } as const
  const logLines = { ...lines, kept: 0, log: { counts: { error: 1 }, times: 'a', first: 1 } }
  return [
    ...viewOf(site, view, lines),
    ...viewOf(site, { paste: sample, language: 'log', show }, logLines),
  ].join('')
}

/** Hashing this many characters blocks the server for less than 1 ms. */
const pieceChars = 256 * 1024

const revisions = new WeakMap<StoredPaste, string | Promise<string>>()

const revisionFrom = ({ id, text: _, ...rest }: StoredPaste, hash: bigint | number) =>
  `${id}.${Bun.hash(JSON.stringify(rest), BigInt(hash)).toString(36)}`

/** Hashes in pieces, so other requests get a turn. */
const hashLarge = async (text: string) => {
  let hash: bigint | number = 0n
  for (let start = 0; start < text.length; start += pieceChars) {
    hash = Bun.hash(text.slice(start, start + pieceChars), BigInt(hash))
    await nextTurn()
  }
  return hash
}

const makeRevision = (paste: StoredPaste): string | Promise<string> => {
  if (paste.text.length <= pieceChars) return revisionFrom(paste, Bun.hash(paste.text))
  return hashLarge(paste.text).then((hash) => {
    const revision = revisionFrom(paste, hash)
    revisions.set(paste, revision)
    return revision
  })
}

/** Identifies this exact content of a paste: every change of its document changes it. Computed once per document. */
export const revisionOf = (paste: StoredPaste): string | Promise<string> => {
  const known = revisions.get(paste)
  if (known !== undefined) return known
  const made = makeRevision(paste)
  revisions.set(paste, made)
  return made
}

export type PasteTagsParts = {
  /** Version of the program, with its commit. */
  program: string
  siteAt: SiteAt
}

/**
 * Entity tags of a paste's answers, known before a body is made. They depend on the paste's revision, on the program and on
 * the look of the server, so none confirms an old page.
 */
export const createPasteTags = ({ program, siteAt }: PasteTagsParts) => {
  let maker: string | undefined
  const tag = (revision: string, what: string) => {
    // At the first request: at the start it would delay the start.
    maker ??= Bun.hash(program + samplePages(siteAt('../'))).toString(36)
    return `"${Bun.hash(`${maker} ${revision} ${what}`).toString(36)}"`
  }

  return {
    page: (revision: string, asked: Omit<PasteView, 'plain'>) =>
      tag(revision, `page ${variantOf(asked, '')}`),
    form: (revision: string, form: Form) => tag(revision, form),
    part: (revision: string, part: TextPart) => tag(revision, `part ${JSON.stringify(part)}`),
  }
}
export type PasteTags = ReturnType<typeof createPasteTags>
