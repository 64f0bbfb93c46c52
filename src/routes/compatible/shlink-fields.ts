import { parseSince } from '../../items/durations.ts'
import { as, never, nothing, wrong } from './links.ts'
import { type Failure, inTheirNames } from './protocol.ts'

const secondsUntil = (now: number) => (time: unknown) => {
  if (time === null || time === '') return {}
  const until = typeof time === 'string' ? parseSince(time, now) : undefined
  if (until !== undefined && until > now) return { expiresIn: Math.ceil((until - now) / 1000) }
  throw wrong('validUntil', 'must be a time to come, such as 2026-12-31T12:00:00Z')
}

const isBoolean = (value: unknown) => typeof value === 'boolean'
const isFalse = (value: unknown) => value === false

/** What a creation and a change have in common. */
const anyFields = (now: number) => ({
  longUrl: as('url'),
  title: as('title'),
  validUntil: secondsUntil(now),
  tags: nothing('tags', (value) => Array.isArray(value) && value.length === 0),
  validSince: nothing('validSince', never),
  crawlable: nothing('crawlable', isFalse),
  // Programs send the default of Shlink, which is true, without being asked. The answer says that it is false.
  forwardQuery: nothing('forwardQuery', isBoolean),
})
export const newFields = (now: number) => ({
  ...anyFields(now),
  customSlug: as('alias'),
  maxVisits: as('maxVisits'),
  findIfExists: nothing('findIfExists', isBoolean),
  domain: nothing('domain', never),
})
export const changedFields = (now: number) => {
  const { title, validUntil, ...others } = anyFields(now)
  return {
    ...others,
    title: (value: unknown) => ({ title: value ?? '' }),
    validUntil: (value: unknown) => (value === null ? { expiresIn: null } : validUntil(value)),
    maxVisits: nothing('maxVisits', never),
  }
}

/** Our fields, as Shlink names them. */
const theirs: Record<string, string> = {
  ...{ url: 'longUrl', alias: 'customSlug', expiresIn: 'validUntil', q: 'searchTerm' },
}

/** Status, type and title of an error; others have those of ours. */
const kindOf = ({ kind, status, field }: Failure, hasKey: boolean): [number, string, string] => {
  if (kind === 'unauthorized')
    return hasKey
      ? [401, 'invalid-api-key', 'Invalid API key']
      : [401, 'missing-authentication', 'Invalid authorization']
  if (kind === 'not-found' || kind === 'gone') return [404, 'short-url-not-found', 'Short URL not found']
  if (kind === 'conflict' && field === 'alias') return [400, 'non-unique-slug', 'Invalid custom slug']
  if (kind === 'malformed' && field === undefined)
    return [400, 'malformed-request-body', 'Malformed request body']
  if (kind === 'malformed' || kind === 'invalid') return [400, 'invalid-data', 'Invalid data']
  return [status, kind, kind]
}

/** An error in the words of Shlink. @param code the short code in the address */
export const problemOf = (failure: Failure, hasKey: boolean, code: string) => {
  const { message, field } = failure
  const [status, type, title] = kindOf(failure, hasKey)
  const detail = inTheirNames(message, theirs)
  const about = {
    'short-url-not-found': { shortCode: code },
    'non-unique-slug': { customSlug: /"([\w-]+)" is taken/.exec(message)?.[1] ?? '' },
    'invalid-data': { invalidElements: field === undefined ? [] : [theirs[field] ?? field] },
  }[type]
  return { type: `https://shlink.io/api/error/${type}`, title, detail, status, ...about }
}

/** The orders that lists have here. */
const orders = { 'dateCreated-DESC': 'created', 'visits-DESC': 'uses', 'nonBotVisits-DESC': 'uses' } as const
/** What else a list may be asked for without another answer: nothing here has tags, is expired, or of another domain. */
const listFields = new Set(
  'page itemsPerPage searchTerm orderBy tagsMode excludeTagsMode excludeMaxVisitsReached excludePastValidUntil'.split(
    ' ',
  ),
)
const farthest = 10_000

/** What a list is asked for. */
export const readList = (query: URLSearchParams) => {
  const unknown = [...query.keys()].find((name) => !listFields.has(name))
  if (unknown !== undefined) throw wrong(unknown, 'cannot be used in a list here')
  const wholeOf = (name: string, usual: number) => {
    const raw = query.get(name) || String(usual)
    if (/^[1-9]\d{0,4}$/.test(raw)) return Number(raw)
    throw wrong(name, 'must be a whole number from 1')
  }
  const page = wholeOf('page', 1)
  const size = query.get('itemsPerPage') === '-1' ? farthest : wholeOf('itemsPerPage', 10)
  if (page * size > farthest) throw wrong('page', `must be among the first ${farthest} short URLs`)
  const order = query.get('orderBy') || 'dateCreated-DESC'
  if (!Object.hasOwn(orders, order))
    throw wrong('orderBy', `must be one of ${Object.keys(orders).join(', ')}`)
  const text = query.get('searchTerm')?.trim() ?? ''
  return { page, size, text, sort: orders[order as keyof typeof orders] }
}
