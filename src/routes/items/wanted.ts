import { invalid } from '../../errors.ts'
import { parseSince } from '../../items/durations.ts'
import type { Wanted } from '../../services/finding.ts'
import type { LanguageLookup } from '../../services/pastes.ts'

/** The orders of each list, as its parameter `sort` names them. */
export const sortsOf = {
  paste: { created: 'created', changed: 'changed', reads: 'uses', size: 'size', expires: 'expires' },
  link: { created: 'created', changed: 'changed', visits: 'uses', size: 'size', expires: 'expires' },
} as const
type SortedKind = keyof typeof sortsOf

/** @throws {AppError} `invalid` */
const timeOf = (since: string, now: number) => {
  // A "+" of a zone is a space in a query.
  const time = parseSince(since.replace(' ', '+'), now)
  if (time !== undefined) return time
  throw invalid('"since" must be a date such as "2026-11-23", a time such as "2026-11-23T08:00:00Z", or "7d"')
}

const languageOf = (kind: SortedKind, name: string, findLanguage: LanguageLookup) => {
  if (kind === 'link') throw invalid('"language" is only for pastes')
  const language = findLanguage(name)
  if ('id' in language) return language.id
  throw invalid(`"language" is not a known language; the nearest one is "${language.nearest}"`)
}

const sortOf = (kind: SortedKind, name: string) => {
  const sorts: Readonly<Record<string, Wanted['sort']>> = sortsOf[kind]
  const sort = Object.hasOwn(sorts, name) ? sorts[name] : undefined
  if (sort !== undefined) return sort
  throw invalid(`"sort" must be one of ${Object.keys(sorts).join(', ')}`)
}

/**
 * What the query of a list asks to find; `undefined` if it asks for the whole list, newest first. An empty parameter counts
 * as left out, because forms send it. @throws {AppError} `invalid`
 */
export const wantedOf = (
  kind: SortedKind,
  query: URLSearchParams,
  now: number,
  findLanguage: LanguageLookup,
): Wanted | undefined => {
  const [text, language, since, order] = ['q', 'language', 'since', 'sort'].map(
    (name) => query.get(name) ?? '',
  )
  const wanted: Wanted = {
    text: text?.trim() ?? '',
    sort: order ? sortOf(kind, order) : 'created',
    ...(language && { language: languageOf(kind, language, findLanguage) }),
    ...(since && { since: timeOf(since, now) }),
  }
  const isAll = wanted.text === '' && wanted.sort === 'created' && !language && !since
  return isAll ? undefined : wanted
}
