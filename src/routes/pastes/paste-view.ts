import { setImmediate as nextTurn } from 'node:timers/promises'
import { PastePage } from '../../../views/paste-page.tsx'
import type { Plain } from '../../../views/paste-props.ts'
import { fileNameOf } from '../../highlight/languages/file-names.ts'
import { languageName, shortChoices } from '../../highlight/languages/languages.ts'
import { isCut, type Lines, plainPieces, renderTokens } from '../../highlight/render.ts'
import { replaceInvisible, showText } from '../../highlight/show-text.ts'
import { siteAt } from '../../http/assets.ts'
import { dateFacts, expiryFacts, formatLines, formatSize, nameOf } from '../../http/format.ts'
import type { StoredPaste } from '../../items/paste.ts'
import type { Form } from './paste-forms.ts'

/** What a title and a description may have today; older ones may be as long as a text, and a page shows each twice. */
const shownChars = { title: 1024, description: 8192 }

/** A description that has room beside the facts of a paste. */
const lineChars = 100

const beginning = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most)}…`)

const site = siteAt('../')

/** Marks the place of the lines. Nothing else on the page looks so: `<` is escaped in text, and `"` in attributes. */
const place = '<!--"lines"-->'

/** What a page shows beside the lines. */
export type PasteView = {
  paste: StoredPaste
  /** That it is read in. */
  language: string
  /** Why it has no colours, where it should have some. */
  plain?: Plain
  /** To a language that was asked for and is none. */
  nearest?: string
}

/** The page of a paste, in pieces: its lines are up to 10 MB. */
export function* viewOf(view: PasteView, lines: Lines): Generator<string> {
  const [before = '', after = ''] = frameOf(view, lines).split(place)
  yield before
  yield* lines.html
  yield after
}

const wordsOf = (paste: StoredPaste) => {
  const title = beginning(paste.title, shownChars.title) || 'Untitled paste'
  const description = beginning(paste.description, shownChars.description)
  return {
    title: replaceInvisible(title),
    titleHtml: showText(title),
    description: replaceInvisible(description),
    descriptionHtml: showText(description),
    isFolded: description.length > lineChars || description.includes('\n'),
  }
}

const frameOf = ({ paste, language, plain, nearest }: PasteView, lines: Lines) => {
  const { title, text, readsLeft } = paste
  const name = nameOf(paste)
  return PastePage({
    site: site,
    name,
    ...wordsOf(paste),
    language: languageName(language),
    languageId: language,
    languages: shortChoices(language),
    size: formatSize(Buffer.byteLength(text)),
    lines: formatLines(lines.total),
    ...dateFacts(paste.createdAt),
    ...expiryFacts(paste),
    codeHtml: place,
    cut: isCut(lines) ? lines : undefined,
    plain,
    nearestLanguage: nearest,
    isTerminal: language === 'ansi',
    fileName: fileNameOf(name, title, language),
    readsLeft,
  }) as string
}

const sample: StoredPaste = {
  ...{ id: 'a', createdAt: 0, owner: 'a', deletionHash: '', expiresAt: 1 },
  ...{ text: 'a < b\r\n', title: 'a', description: 'b', language: 'text' },
}

/** A page that holds what every page is built from: another program makes another one. */
const samplePage = () => {
  const tokens = [[{ content: 'a', color: 'a', fontStyle: 15 }, { content: ' < b\u202e' }]]
  const { html } = renderTokens(sample.text, tokens, (colour) => colour)
  const lines = { html: [...plainPieces(sample.text), ...html], shown: 1, total: 2, isPartial: true }
  const view = { paste: sample, language: 'ansi', plain: 'failed', nearest: 'a' } as const
  return [...viewOf(view, lines)].join('')
}

/** Hashing so much makes the server busy for less than 1 ms. */
const pieceChars = 256 * 1024

const revisions = new WeakMap<StoredPaste, string | Promise<string>>()

const revisionFrom = ({ id, text: _, ...rest }: StoredPaste, hash: bigint | number) =>
  `${id}.${Bun.hash(JSON.stringify(rest), BigInt(hash)).toString(36)}`

/** Others are answered in between. */
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

/** A name of this very content of a paste: any change of its document changes it. Told once, it is known. */
export const revisionOf = (paste: StoredPaste): string | Promise<string> => {
  const known = revisions.get(paste)
  if (known !== undefined) return known
  const made = makeRevision(paste)
  revisions.set(paste, made)
  return made
}

export type PasteTagsParts = {
  /** Names the program that makes the answers, its commit included. */
  program: string
}

/**
 * Entity tags of what a paste answers, known before anything is made: of the paste's revision and of the program, so that
 * a new program never confirms a page of an old one.
 */
export const createPasteTags = ({ program }: PasteTagsParts) => {
  let maker: string | undefined
  const tag = (revision: string, what: string) => {
    // Not at the start, which it would make longer.
    maker ??= Bun.hash(program + samplePage()).toString(36)
    return `"${Bun.hash(`${maker} ${revision} ${what}`).toString(36)}"`
  }

  return {
    /** @param language that it is read in @param nearest the language that its notice names */
    page: (revision: string, { language, nearest }: { language: string; nearest?: string | undefined }) =>
      tag(revision, `page ${language}${nearest === undefined ? '' : ` ${nearest}`}`),
    form: (revision: string, form: Form) => tag(revision, form),
  }
}
export type PasteTags = ReturnType<typeof createPasteTags>
