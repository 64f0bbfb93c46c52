import { type FormProblem, malformed } from '../errors.ts'
import { asks } from '../format.ts'
import { checkLengths, createBodyCheck, keptOf, knownOf } from '../items/field.ts'
import { LinkBody, LinkChange, linkTable, type StoredLink } from '../items/link.ts'
import {
  type Change,
  type Created,
  checkReplace,
  createItems,
  type ItemParts,
  type Items,
  type Replaced,
} from './items.ts'
import { aliasFor, type LifetimeOf, madeAtOf, newExpiry } from './options.ts'

export type Links = Omit<Items<StoredLink>, 'create'> & {
  /**
   * Creates a link; with `replace` in the body, it changes the one that the name leads to.
   * @param isOwnLink true for an address that is itself a short link of this service
   * @throws {AppError} `invalid`, `malformed`, `conflict`; storage errors
   */
  create: (
    body: object,
    owner: string,
    isOwnLink: (url: URL) => boolean,
  ) => Promise<Created<StoredLink> | Replaced<StoredLink>>
  /** What the body of a change asks for. @throws {AppError} `invalid`, `malformed` */
  readChange: (body: object, isOwnLink: (url: URL) => boolean) => Change<StoredLink>
}

export type LinksParts = Omit<ItemParts<StoredLink>, 'kind' | 'sizeOf'> & {
  lifetimeOf: LifetimeOf
}

/** Longest address, in UTF-16 units, both as sent and as stored: proxies and browsers fail on longer ones. */
const maxUrlLength = 8192

const check = createBodyCheck(LinkBody, linkTable)
const checkChange = createBodyCheck(LinkChange, linkTable)

const refuse = (
  reason: string,
  problem: Omit<FormProblem, 'field'> = { message: `This address cannot be used: ${reason}.` },
) => malformed(`Invalid URL format: ${reason}`, { field: 'url', ...problem })

/** `http://grafana.lan` for `grafana.lan`; `undefined` if that is no valid address either. */
const withScheme = (address: string) => {
  const completed = `http://${address}`
  const isHost = /^[^\s@/]+(?:\/\S*)?$/.test(address) && !/^\w+:(?!\d)/.test(address)
  return isHost && URL.canParse(completed) ? completed : undefined
}

/** A form shows the completed address for the user to check. */
const withoutScheme = (raw: string) => {
  const value = withScheme(raw)
  const message = 'An address begins with http:// or https://.'
  return refuse('it must begin with http:// or https://', {
    message: value ? `${message} Did you mean ${value}? Press the button again to use it.` : message,
    ...(value && { value }),
  })
}

/**
 * Parses a redirect target as WHATWG does, but refuses what that parser would silently repair.
 * @throws {AppError} `malformed`, with the reason
 */
export const parseTarget = (raw: string): URL => {
  if (raw === '') throw refuse('it is empty', { message: asks.url })
  if (raw.length > maxUrlLength) throw refuse(`it is longer than ${maxUrlLength} characters`)
  if (/[\s\p{Cc}]/u.test(raw)) throw refuse('it contains white space or a control character')
  if (!raw.isWellFormed()) throw refuse('it contains a lone surrogate')
  if (!/^https?:\/\//i.test(raw)) throw withoutScheme(raw)
  if (!/^https?:\/\/[^/\\?#]/i.test(raw)) throw refuse('it has no host')
  if (!URL.canParse(raw)) throw refuse('it cannot be parsed')
  const url = new URL(raw)
  if (url.hostname === '') throw refuse('it has no host')
  if (url.href.length > maxUrlLength)
    throw refuse(`it is longer than ${maxUrlLength} characters once encoded`)
  return url
}

export const createLinks = ({ lifetimeOf, ...parts }: LinksParts): Links => {
  const items = createItems<StoredLink>({
    ...parts,
    kind: 'link',
    sizeOf: ({ url }) => Buffer.byteLength(url),
  })

  const targetOf = (raw: string, isOwnLink: (url: URL) => boolean) => {
    const url = parseTarget(raw)
    if (!isOwnLink(url)) return url.href
    throw refuse('it is one of the short links of this service, which would make a loop')
  }

  const readKnown = (body: object) => {
    const known = knownOf(LinkChange, body)
    checkLengths(linkTable, known)
    return checkChange(known) as Partial<LinkBody>
  }

  const readNew = (body: object, isOwnLink: (url: URL) => boolean) => {
    const lifetimeMs = lifetimeOf((body as Partial<LinkBody>).expiresIn)
    checkLengths(linkTable, body)
    const checked = check(body)
    const { alias: name, ...kept } = keptOf(linkTable, checked)
    const alias = aliasFor(name)
    const url = targetOf(kept.url, isOwnLink)
    const { maxVisits } = kept
    const limit = maxVisits === undefined ? {} : { visitsLeft: maxVisits }
    const { replace = false } = checked
    if (replace) checkReplace(alias, maxVisits, 'maxVisits')
    const fields = { ...kept, url }
    const change = replace ? { fields, ...newExpiry(body, lifetimeOf, parts.now) } : undefined
    return { fields, limit, lifetimeMs, madeAt: madeAtOf(checked.madeAt), alias, change }
  }

  return {
    ...items,

    create: async (body, owner, isOwnLink) => items.create(readNew(body, isOwnLink), owner),

    readChange: (body, isOwnLink) => {
      const expiry = newExpiry(body, lifetimeOf, parts.now)
      const { url, title } = readKnown(body)
      const fields = {
        ...(url !== undefined && { url: targetOf(url, isOwnLink) }),
        ...(title !== undefined && { title }),
      }
      return { fields, ...expiry }
    },
  }
}
