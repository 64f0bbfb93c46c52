import { malformed } from '../errors.ts'
import { createBodyCheck } from '../items/check.ts'
import { keptOf, knownOf } from '../items/field.ts'
import { LinkBody, LinkChange, linkTable, type StoredLink } from '../items/link.ts'
import type { Change } from './changes.ts'
import { createItems, type ItemParts, type Items } from './items.ts'
import { aliasFor, expiryOf, type LifetimeOf } from './options.ts'

export type Links = Omit<Items<StoredLink>, 'create'> & {
  /**
   * @param isOwnLink true for an address that is itself a short link of this service
   * @throws {AppError} `invalid`, `malformed`, `conflict`; storage errors
   */
  create: (
    body: object,
    owner: string,
    isOwnLink: (url: URL) => boolean,
  ) => ReturnType<Items<StoredLink>['create']>
  /** What the body of a change asks for. @throws {AppError} `invalid`, `malformed` */
  readChange: (body: object, isOwnLink: (url: URL) => boolean) => Change<StoredLink>
}

export type LinksParts = Omit<ItemParts<StoredLink>, 'kind'> & { lifetimeOf: LifetimeOf }

/** Longest address, in UTF-16 units, both as sent and as stored: proxies and browsers fail on longer ones. */
const maxUrlLength = 8192

const check = createBodyCheck(LinkBody)
const checkChange = createBodyCheck(LinkChange)

const refuse = (reason: string) => malformed(`Invalid URL format: ${reason}`)

/**
 * Parses a redirect target as WHATWG does, but refuses what that parser would silently repair.
 * @throws {AppError} `malformed`, with the reason
 */
export const parseTarget = (raw: string): URL => {
  if (raw === '') throw refuse('it is empty')
  if (raw.length > maxUrlLength) throw refuse(`it is longer than ${maxUrlLength} characters`)
  if (/[\s\p{Cc}]/u.test(raw)) throw refuse('it contains white space or a control character')
  if (!raw.isWellFormed()) throw refuse('it contains a lone surrogate')
  if (!/^https?:\/\//i.test(raw)) throw refuse('it must begin with http:// or https://')
  if (!/^https?:\/\/[^/\\?#]/i.test(raw)) throw refuse('it has no host')
  if (!URL.canParse(raw)) throw refuse('it cannot be parsed')
  const url = new URL(raw)
  if (url.hostname === '') throw refuse('it has no host')
  if (url.href.length > maxUrlLength)
    throw refuse(`it is longer than ${maxUrlLength} characters once encoded`)
  return url
}

export const createLinks = ({ lifetimeOf, ...parts }: LinksParts): Links => {
  const items = createItems<StoredLink>({ ...parts, kind: 'link' })

  const targetOf = (raw: string, isOwnLink: (url: URL) => boolean) => {
    const url = parseTarget(raw)
    if (!isOwnLink(url)) return url.href
    throw refuse('it is one of the short links of this service, which would make a loop')
  }

  return {
    ...items,
    create: async (body, owner, isOwnLink) => {
      const lifetimeMs = lifetimeOf((body as Partial<LinkBody>).expiresIn)
      const { alias: name, ...kept } = keptOf(linkTable, check(body))
      const alias = aliasFor(name)
      const url = targetOf(kept.url, isOwnLink)
      const { maxVisits } = kept
      const limit = maxVisits === undefined ? {} : { visitsLeft: maxVisits }
      return items.create({ ...kept, url, ...limit }, owner, { lifetimeMs, alias })
    },

    readChange: (body, isOwnLink) => {
      const expiresAt = expiryOf(body, lifetimeOf, parts.now)
      const { url } = checkChange(knownOf(LinkChange, body)) as Partial<LinkBody>
      const fields = url === undefined ? {} : { url: targetOf(url, isOwnLink) }
      return { fields, ...(expiresAt !== undefined && { expiresAt }) }
    },
  }
}
