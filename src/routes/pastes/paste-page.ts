import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Site } from '../../../views/layout.tsx'
import { PastePage } from '../../../views/paste-page.tsx'
import type { Missing, PasteFilter, PasteLog, Plain, ViewChoice } from '../../../views/paste-props.ts'
import { createCollector } from '../../collector.ts'
import { type AppError, invalid } from '../../errors.ts'
import { dateFacts, expiryFacts, formatLines, publicName, sizeText } from '../../format.ts'
import type { Highlighter } from '../../highlight/highlighter.ts'
import { fileNameOf } from '../../highlight/languages/file-names.ts'
import {
  findLanguage,
  firstShow,
  hasLevels,
  languageName,
  shortChoices,
  type View,
  viewOfLanguage,
  views,
} from '../../highlight/languages/languages.ts'
import {
  around,
  isCut,
  type Job,
  type Lines,
  linesPlace,
  plainPieces,
  renderPlain,
  renderTokens,
} from '../../highlight/lines.ts'
import { isOfWord, type Level, levels, type Show } from '../../highlight/log.ts'
import { replaceInvisible, showText } from '../../highlight/show-text.ts'
import { createFlights, memoize, negotiated, pageHeaders } from '../../http/answers.ts'
import type { SiteAt } from '../../http/assets.ts'
import { createAttempts, type Missing as WhyWithout } from '../../http/memory.ts'
import { type Body, blobOf, createBody, heldBytes, isBrowser } from '../../http/negotiate.ts'
import { pasteName, untitled } from '../../items/name.ts'
import type { StoredPaste } from '../../items/paste.ts'
import { grepProblem, type TextPart } from '../../items/text/text-part.ts'

/** A shorter description fits beside the facts of a paste. */
const lineChars = 100

/** What a page shows apart from the lines. */
type PasteView = {
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

const viewIn = (show: Show | undefined) => (show && 'view' in show ? show.view : undefined)

/** Distinguishes the pages of one paste: empty for the usual one. */
const variantOf = (
  { language, nearest, show, ignored }: { language: string; nearest?: string | undefined } & Fitted,
  ownLanguage: string,
) => {
  const first = firstShow(ownLanguage)?.view
  const isFirst = show ? 'view' in show && show.view === first : first === undefined
  if (language === ownLanguage && nearest === undefined && isFirst && !ignored) return ''
  return `/${language}?${nearest ?? ''}${show ? queryOf(show) : ''}${ignored ? `!${ignored}` : ''}`
}

/** What a page says that shows the whole text as it is. */
export const withoutColours = (plain: Plain, show: Show | undefined): { plain: Plain; missing: Missing } => ({
  plain,
  missing: show ? 'view' : 'colours',
})

/** The page of a paste, in pieces. */
export const viewOf = (site: Site, view: PasteView, lines: Lines) => around(frameOf(site, view, lines), lines)

/** A paste without a title is called by its first line, which is shown as what it is. */
const kindOfTitle = ({ title }: StoredPaste, name: string): 'first-line' | 'untitled' | undefined => {
  if (title === name) return undefined
  return name === untitled ? 'untitled' : 'first-line'
}

const wordsOf = (paste: StoredPaste) => {
  const { description } = paste
  const title = pasteName(paste)
  return {
    titleIs: kindOfTitle(paste, title),
    title: replaceInvisible(title),
    titleHtml: showText(title),
    description: replaceInvisible(description),
    descriptionHtml: showText(description),
    isFolded: description.length > lineChars || description.includes('\n'),
  }
}

/** The links to the view of a text and to its source; none for a burn-after-reading paste, as each would be a read. */
const choicesOf = ({ paste, language, show }: PasteView): readonly ViewChoice[] => {
  const view = viewOfLanguage(language)
  if (view === undefined || paste.readsLeft !== undefined) return []
  const lang = language === paste.language ? undefined : language
  const isFirst = lang === undefined && firstShow(language) !== undefined
  const isShown = viewIn(show) !== undefined
  return [
    { view, query: isFirst ? '' : queryOf({ lang, view }), isShown },
    { view: 'text', query: sourceQuery(language, lang), isShown: !isShown },
  ]
}

const frameOf = (site: Site, view: PasteView, lines: Lines) => {
  const { paste, language, plain, missing, nearest, show, ignored } = view
  const { title, text, readsLeft, maxReads } = paste
  const name = publicName(paste)
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
    versions: 1 + (paste.earlier?.length ?? 0),
    codeHtml: linesPlace,
    cut: isCut(lines) ? { ...lines, total: lines.kept ?? lines.total } : undefined,
    ...((lines.log || show) && logFactsOf(view, lines)),
    plain,
    missing,
    nearestLanguage: nearest,
    view: lines.refused ? undefined : viewIn(show),
    refused: lines.refused,
    problem: lines.problem,
    views: choicesOf(view),
    ignored,
    isTerminal: language === 'ansi' || (lines.log !== undefined && text.includes('\x1b[')),
    fileName: fileNameOf(name, title, language),
    ...{ readsLeft, maxReads },
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

/** The forms of a paste apart from the page. */
export type Form = 'raw' | 'json' | 'haste'

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

/** The query that asks for a page: with its `?`, or empty. */
export const queryOf = (asked: { lang?: string | undefined; view?: View; level?: Level; grep?: string }) => {
  const given = Object.entries(asked).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return given.length ? `?${new URLSearchParams(given)}` : ''
}

/** The query of a text as it is. @param lang a language that is not its own */
const sourceQuery = (language: string, lang: string | undefined) =>
  queryOf({ lang }) || (firstShow(language) ? '?view=text' : '')

type LogView = { paste: StoredPaste; language: string; show?: Show }

/** The lines of each level, as links to those with this level and above; the most important first. */
const logOf = (view: LogView, { log }: Lines, lang: string | undefined): PasteLog | undefined => {
  if (!log) return undefined
  const asked = view.show && !('view' in view.show) ? view.show : {}
  const { grep } = asked
  const found = levels.toReversed().flatMap((level) => {
    const count = log.counts[level] ?? 0
    const query = queryOf({ lang, level, ...(grep !== undefined && { grep }) })
    return count > 0 ? [{ level, count, query, isShown: level === asked.level }] : []
  })
  return { levels: found, first: log.first, hasErrors: Boolean(log.counts.error ?? log.counts.fatal) }
}

const filterOf = ({ language, show }: LogView, lines: Lines, lang: string | undefined): PasteFilter => {
  const { level, grep } = show && !('view' in show) ? show : {}
  const isFiltered = level !== undefined || grep !== undefined
  return {
    lang,
    level,
    grep,
    grepHtml: grep === undefined ? undefined : showText(grep),
    ...(isFiltered && { kept: lines.kept ?? lines.shown, total: lines.total }),
    whole: sourceQuery(language, lang) || '?',
  }
}

/** What a page says of a log, and of a filter. The page of a burn-after-reading paste shows it without links. */
const logFactsOf = (view: LogView, lines: Lines) => {
  const lang = view.language === view.paste.language ? undefined : view.language
  const log = logOf(view, lines, lang)
  const filter = filterOf(view, lines, lang)
  return {
    ...(log && { log }),
    ...(lines.log?.times !== undefined && { times: lines.log.times }),
    ...((log || filter.kept !== undefined) && { filter }),
  }
}

type Parameter = 'lang' | 'view' | 'level' | 'grep'

/** What the query of a page asks for. */
type PageQuery = {
  /** True if it asks for anything: the page then shows the text, unless it asks for a view. */
  isAsked?: true
  language?: string
  /** The known language nearest to an unknown one. */
  nearest?: string
  show?: Show
  /** The first parameter with an unknown value, and words for a program. */
  problem?: { parameter: Parameter; message: string }
}

/** A parameter that the page leaves out, because its value is unknown or does not fit the language. */
type Ignored = Exclude<Parameter, 'lang'>
/** What a page shows of a text in a language, and what it leaves out. */
export type Fitted = { show?: Show; ignored?: Ignored }

const isView = (value: string): value is View => (views as readonly string[]).includes(value)
const isLevel = (value: string): value is Level => (levels as readonly string[]).includes(value)

const languageIn = (value: string): PageQuery => {
  const found = findLanguage(value)
  if (!('nearest' in found)) return { language: found.id }
  const message = `"lang" is not a known language; the nearest one is "${found.nearest}"`
  return { nearest: found.nearest, problem: { parameter: 'lang', message } }
}

/** @param rule begins with "must" */
const wrong = (parameter: Ignored, rule: string): PageQuery => ({
  problem: { parameter, message: `"${parameter}" ${rule}` },
})

const viewAsked = (value: string): PageQuery => {
  if (value === 'text') return {}
  return isView(value) ? { show: { view: value } } : wrong('view', `must be one of text, ${views.join(', ')}`)
}

const levelIn = (value: string): PageQuery =>
  isLevel(value) ? { show: { level: value } } : wrong('level', `must be one of ${levels.join(', ')}`)

const grepIn = (value: string): PageQuery => {
  if (value === '') return {}
  const problem = grepProblem(value)
  return problem === undefined ? { show: { grep: value } } : wrong('grep', problem)
}

const readers: Readonly<Record<Parameter, (value: string) => PageQuery>> = {
  lang: languageIn,
  view: viewAsked,
  level: levelIn,
  grep: grepIn,
}
type Found = Partial<Record<Parameter, PageQuery>>

/** A view wins over a level and a word. */
const showIn = ({ view, level, grep }: Found): Show | undefined =>
  view?.show ?? (level?.show || grep?.show ? { ...level?.show, ...grep?.show } : undefined)

/** Most long queries are not for us, and parsing 2,000 names takes memory. A name may have letters in percent form. */
const isForPages = /[?&](?:(?:lang|view|level|grep)=|[^=&]{0,40}%)/

/** @param search the query, with its `?` */
const readQuery = (search: string): PageQuery => {
  if (!isForPages.test(search)) return {}
  const parameters = new URLSearchParams(search)
  const found: Found = {}
  for (const name of Object.keys(readers) as Parameter[]) {
    const value = parameters.get(name)
    if (value !== null) found[name] = readers[name](value)
  }
  const problem = Object.values(found).find((one) => one.problem)?.problem
  const show = showIn(found)
  const isAsked = Object.keys(found).length > 0
  return { ...found.lang, ...(isAsked && { isAsked }), ...(show && { show }), ...(problem && { problem }) }
}

const known = memoize(readQuery)
/** Longer queries are read each time: a hundred kept ones would take a megabyte. */
const keptChars = 200

/** The query of an address, with its `?`; empty if there is none. */
const searchOf = ({ url }: Request) => {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at)
}

/**
 * Reads the query of a page. A person who mistyped it still gets the page, with a notice.
 * @throws {AppError} `invalid` for an unknown value, for programs and before a read is consumed
 */
export const pageAsked = (request: Request, search = searchOf(request)): PageQuery => {
  const query = search.length <= keptChars ? known(search) : readQuery(search)
  // Asked last: reading `Accept` takes longer than to find the query.
  if (query.problem && (request.method === 'POST' || !isBrowser(request)))
    throw invalid(query.problem.message)
  return query
}

/** What fits a language of what was asked for, and what does not. */
export const fitted = ({ show, problem }: PageQuery, language: string): Fitted => {
  const mistyped = problem?.parameter
  const ignored = mistyped === undefined || mistyped === 'lang' ? {} : { ignored: mistyped }
  if (!show) return ignored
  if ('view' in show)
    return viewOfLanguage(language) === show.view ? { show, ...ignored } : { ignored: 'view' }
  if (show.level === undefined || hasLevels(language)) return { show, ...ignored }
  return { ...(show.grep !== undefined && { show: { grep: show.grep } }), ignored: 'level' }
}

/** The error for a program that asks for what a language does not have. */
export const unfitting = (ignored: Ignored, language: string): AppError => {
  const view = viewOfLanguage(language)
  const has = view === undefined ? 'none' : `"${view}"`
  const what = ignored === 'view' ? `this "view"; it has ${has}` : `levels; "level" is for logs`
  return invalid(`A text in ${languageName(language)} does not have ${what}`)
}

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
export const usualPage = (paste: StoredPaste, revision: string): PageAsked => {
  const { language } = paste
  const show = firstShow(language)
  return show
    ? { paste, revision, language, show, key: revision }
    : { paste, revision, language, key: revision }
}

/** The page of the text as it is: the usual one of most pastes. */
export const sourcePage = (paste: StoredPaste, revision: string): PageAsked => {
  const page = { paste, language: paste.language }
  return { ...page, revision, key: revision + variantOf(page, paste.language) }
}

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
    if (!query.isAsked) return usualPage(paste, revision)
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
  const { made } = createCollector()
  const keep = (key: string, body: Body) => {
    pages.set(key, body)
    return body
  }
  /** The whole text without colours, which the server renders itself. */
  const plain = async (key: string, view: PasteView, etag?: string) => {
    const { text } = view.paste
    const make = async () => {
      const body = await bodyOf(view, await renderPlain(text, view.language), etag)
      made(text.length)
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
    notHighlighted: async ({ revision, paste, nearest, ignored, show }: PageAsked, why: WhyWithout) => {
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
  const { made } = createCollector()

  const make = async (asked: PageAsked, etag: string): Promise<Body> => {
    const { key, paste, language, show, ...notices } = asked
    if (language === 'text' && !show) return pages.plain(key, asked, etag)
    const whole = { text: paste.text, language, ...(show && { show }) }
    const job = feasible(highlighter, whole)
    if (!job) return pages.plain(key, { ...notices, paste, language, ...withoutColours('large', show) }, etag)
    const view: PasteView = job === whole ? asked : { ...asked, plain: 'large' }
    const keep = async (lines: Lines) => {
      const body = await bodyOf(view, lines, etag)
      made(body.plain.size)
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
