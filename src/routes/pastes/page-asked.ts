import { type AppError, invalid } from '../../errors.ts'
import {
  findLanguage,
  hasLevels,
  languageName,
  type View,
  viewOfLanguage,
  views,
} from '../../highlight/languages/languages.ts'
import { type Level, levels, type Show } from '../../highlight/log.ts'
import { memoize } from '../../http/answers.ts'
import { isBrowser } from '../../http/negotiate.ts'
import { grepProblem } from '../../items/text/text-part.ts'

type Parameter = 'lang' | 'view' | 'level' | 'grep'

/** What the query of a page asks for. */
export type PageQuery = {
  language?: string
  /** The known language nearest to an unknown one. */
  nearest?: string
  show?: Show
  /** The first parameter with an unknown value, and words for a program. */
  problem?: { parameter: Parameter; message: string }
}

/** A parameter that the page leaves out, because its value is unknown or does not fit the language. */
export type Ignored = Exclude<Parameter, 'lang'>
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

const viewIn = (value: string): PageQuery =>
  isView(value) ? { show: { view: value } } : wrong('view', `must be one of ${views.join(', ')}`)

const levelIn = (value: string): PageQuery =>
  isLevel(value) ? { show: { level: value } } : wrong('level', `must be one of ${levels.join(', ')}`)

const grepIn = (value: string): PageQuery => {
  if (value === '') return {}
  const problem = grepProblem(value)
  return problem === undefined ? { show: { grep: value } } : wrong('grep', problem)
}

const readers: Readonly<Record<Parameter, (value: string) => PageQuery>> = {
  lang: languageIn,
  view: viewIn,
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
  return { ...found.lang, ...(show && { show }), ...(problem && { problem }) }
}

const known = memoize(readQuery)
/** Longer queries are read each time: a hundred kept ones would take a megabyte. */
export const keptChars = 200

/** The query of an address, with its `?`; empty if there is none. */
export const searchOf = ({ url }: Request) => {
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
