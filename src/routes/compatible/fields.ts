import { invalid } from '../../errors.ts'
import { parseDuration, parseWordyLifetime } from '../../items/durations.ts'
import type { ProtocolName } from '../../settings/values.ts'

type Texts = Readonly<Record<string, string | undefined>>

/** What other programs call a field, by protocol, and what it is here. */
export const foreignFields = {
  '0x0': { shorten: 'url', expires: 'expires', secret: 'secret' },
  rustypaste: { oneshot: 'oneshot', oneshot_url: 'url' },
  sprunge: {
    ...{ sprunge: 'text', 'f:1': 'text', clbin: 'text' },
    ...{ c: 'text', content: 'text', raw: 'text', file: 'text', lang: 'language' },
  },
} as const satisfies Partial<Record<ProtocolName, Readonly<Record<string, string>>>>

/** Names of files that ask for something else than a paste of the file. */
const refusedFiles = new Set(['protected', 'remote', 'url', 'oneshot_url', 'shorten'])

const isOnce = (oneshot: string | undefined) => {
  if (oneshot === undefined || /^(?:0|false)$/.test(oneshot)) return false
  if (/^(?:1|true)$/.test(oneshot)) return true
  throw invalid('Field "oneshot" must be 1 or 0')
}

/** Numbers below this one are hours, and the others a time, as 0x0 reads them: it is in 2022 and in the year 190,000. */
const firstTime = 1_650_460_320_000

/** @returns a lifetime as `expiresIn` takes it */
const lifetimeUntil = (expires: string, now: number) => {
  const number = /^\d{1,15}$/.test(expires) ? Number(expires) : undefined
  if (number === undefined && parseDuration(expires) !== undefined) return expires
  const seconds = number && (number < firstTime ? number * 3600 : Math.ceil((number - now) / 1000))
  if (seconds && seconds > 0) return String(seconds)
  throw invalid(
    'Field "expires" must be a number of hours, a time to come in milliseconds since 1970, or a lifetime such as 10m, 2h, 7d',
  )
}

const lifetimeOf = (header: string) => {
  const seconds = parseWordyLifetime(header)
  if (seconds) return String(seconds)
  throw invalid('The header "expire" must be a lifetime such as 10min, 2h or 7days')
}

type Options = Readonly<Record<'oneshot' | 'expires' | 'secret' | 'expire', string | undefined>>

/** Adds what options of other programs promise. @param uses the field that limits how often the item can be used */
const withOptions = (
  fields: Texts,
  { oneshot, expires, secret, expire }: Options,
  uses: 'maxReads' | 'maxVisits',
  now: number,
): Texts => {
  const once = isOnce(oneshot)
  const lifetimes = [expires, expire, fields.expiresIn || undefined].filter((said) => said !== undefined)
  if (secret !== undefined && fields.alias)
    throw invalid('Field "secret" cannot be kept with "alias": a name can be guessed. Leave one of them out')
  if (once && fields[uses])
    throw invalid(`Fields "oneshot" and "${uses}" say different things. Leave one of them out`)
  if (lifetimes.length > 1)
    throw invalid('"expires", "expire" and "expiresIn" say different things. Send only one of them')
  return {
    ...fields,
    ...(expires !== undefined && { expiresIn: lifetimeUntil(expires, now) }),
    ...(expire !== undefined && { expiresIn: lifetimeOf(expire) }),
    ...(once && { [uses]: '1' }),
  }
}

/** A form without its key in front of it. The names are too long to begin a text of one word by chance. */
const formNames = ['text', 'url', 'shorten', 'oneshot_url', 'sprunge', 'f:1', 'clbin']

/** What the coding of URLs would have escaped. */
const isEscaped = (text: string) => !/[^\w.~*+!'()=&%-]|%(?![\da-f]{2})/i.test(text)

/**
 * Most programs send any bytes under the type of forms, as `curl --data-binary` does. A form has a field that holds a text
 * or an address, and nothing in it that the coding of URLs would have escaped. An address alone may stand as it is.
 * @returns a form in that coding; `undefined` for a text
 * @throws {AppError} `invalid` for a form of others that is not escaped
 */
const createFormFinder = (isKnown: (name: string) => boolean) => {
  const known = formNames.filter(isKnown).join('|')
  const hasName = new RegExp(`(?:^|&)(?:${known.replace('f:1', 'f%3A1')})=`, 'i')
  const isAddress = /^(?:url|shorten|oneshot_url)=https?:\/\/\S+$/
  const isUnescaped = new RegExp(`^(?:${['sprunge', 'f:1', 'clbin'].filter(isKnown).join('|') || '$^'})=`)

  return (body: string) => {
    const form = body.replace(/^f:1=/, 'f%3A1=')
    const isForm = isEscaped(form) || isAddress.test(body)
    if (hasName.test(form) && isForm) return form
    if (!isUnescaped.test(body)) return undefined
    throw invalid('This form is not escaped. With curl, send it with -F, or the text alone with -T')
  }
}

const spokenNames = (spoken: ReadonlySet<ProtocolName>) =>
  new Map(
    Object.entries(foreignFields).flatMap(([protocol, fields]) =>
      spoken.has(protocol as ProtocolName) ? Object.entries<string>(fields) : [],
    ),
  )

/** The fields of the protocols that are spoken. */
export const createForeign = (spoken: ReadonlySet<ProtocolName>) => {
  const names = spokenNames(spoken)
  const isSpoken = (name: string) => names.has(name)
  /** Each under the name that it has here. */
  const rename = (texts: Texts) => {
    const own = new Map<string, string | undefined>()
    for (const [name, text] of Object.entries(texts)) {
      const field = names.get(name) ?? name
      if (own.has(field)) throw invalid(`Field "${name}" is one ${field} too many. Send only one`)
      own.set(field, text)
    }
    if (isSpoken('oneshot_url') && 'oneshot_url' in texts) own.set('oneshot', '1')
    return own
  }

  /** Takes an option of another program out of the fields, unless it is unknown. */
  const take = (own: Map<string, string | undefined>, name: string) => {
    const text = isSpoken(name) ? own.get(name) : undefined
    if (isSpoken(name)) own.delete(name)
    return text
  }

  const has = (texts: Texts, field: string) =>
    Object.entries(texts).some(([name, text]) => text && (names.get(name) ?? name) === field)
  /** True for a form that asks for a short link. The Enter key names no part of it, so then the filled part counts. */
  const isLink = (texts: Texts) =>
    texts.create ? texts.create === 'link' : has(texts, 'url') && !has(texts, 'text')

  return {
    isLink,
    /**
     * The fields under our own names. Those that nobody knows stay.
     * @param now milliseconds since the epoch
     * @throws {AppError} `invalid` for two values of one field, and for a promise that cannot be kept
     */
    own: (texts: Texts, headers: Headers, now: number): Texts => {
      if (isSpoken('oneshot') && texts.remote !== undefined)
        throw invalid('This server fetches nothing, so there is no "remote". Send the text itself')
      const own = rename(texts)
      const [oneshot, expires, secret] = ['oneshot', 'expires', 'secret'].map((name) => take(own, name))
      const expire = headers.get('expire') ?? undefined
      if (expire !== undefined && !isSpoken('oneshot'))
        throw invalid('This server does not take the header "expire". Send a field "expiresIn"')
      const uses = isLink(texts) ? 'maxVisits' : 'maxReads'
      return withOptions(Object.fromEntries(own), { oneshot, expires, secret, expire }, uses, now)
    },

    /** The name that a header gives to a file. */
    fileName: (headers: Headers) => (isSpoken('oneshot') && headers.get('filename')) || undefined,

    /** True for a file that is to be read once. @throws {AppError} `invalid` for one that is to be no paste */
    isOnceFile: (name: string) => {
      if (refusedFiles.has(name) || (name === 'oneshot' && !isSpoken(name)))
        throw invalid(`This server does not support a file named "${name}"`)
      return name === 'oneshot'
    },

    formIn: createFormFinder((name) => name === 'text' || name === 'url' || isSpoken(name)),
  }
}
export type Foreign = ReturnType<typeof createForeign>
