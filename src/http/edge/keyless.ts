import { forbidden, unauthorized } from '../../errors.ts'
import type { Scope } from '../../items/schema.ts'
import type { Admit } from '../../services/admission.ts'
import type { Guests } from '../../services/guests.ts'
import type { KeyHolder } from '../../services/keys.ts'
import type { RequestContext } from '../route-list.ts'
import type { Origin } from './origin.ts'

export type KeylessParts = {
  origin: Pick<Origin, 'client' | 'isTrusted' | 'isForeign'>
  guests: Guests
  admit: Admit
  /** In lower case; `undefined` if no proxy names users. */
  userHeader: string | undefined
}

/** Who a request without a key comes from. */
export type Keyless = {
  /**
   * The user that a trusted proxy names; `undefined` if there is none.
   * @throws {AppError} `unauthorized` for a name that cannot be used, `forbidden` for a request from a page of another host
   */
  user: (context: RequestContext) => KeyHolder | undefined
  /**
   * The user, or else the guest, who creates an item; takes a token.
   * @throws {AppError} as `user` does; as a request with a key does
   */
  admit: (context: RequestContext, scope: Scope) => Promise<KeyHolder | undefined>
  /** Who would create without a key, for pages. Takes nothing, and no error is thrown: `undefined` for who needs a key. */
  sender: (context: RequestContext) => Promise<KeyHolder | undefined>
}

/** No name of a key contains a colon, so a user is never taken for a key. */
const ownerOf = (user: string) => `user:${user}`

const longestUser = 128

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Headers are read as Latin-1; proxies send names in UTF-8. */
const decoded = (header: string) => {
  try {
    return utf8.decode(Buffer.from(header, 'latin1'))
  } catch {
    return header
  }
}

/** A comma joins two headers of the same name: one of them may be the client's. */
const userIn = (header: string, name: string) => {
  const user = decoded(header).normalize('NFC').trim()
  if (user !== '' && user.length <= longestUser && !/[\p{C}\p{Zl}\p{Zp},]/u.test(user)) return user
  throw unauthorized(
    `The proxy sent a user in "${name}" that cannot be used: ` +
      `send one name of 1 to ${longestUser} characters, without commas and control characters`,
  )
}

const refusedOrigin = () =>
  forbidden(
    'A page of another host sent this request, and may not create without an API key. ' +
      'If it is a page of this server, set --public-url to its address',
  )

export const createKeyless = ({ origin, guests, admit, userHeader }: KeylessParts): Keyless => {
  const namedUser = (context: RequestContext): KeyHolder | undefined => {
    const header = userHeader && context.request.headers.get(userHeader)
    if (!header || !origin.isTrusted(context)) return undefined
    const name = ownerOf(userIn(header, userHeader))
    return { name, as: 'user', bucket: name }
  }

  const user = (context: RequestContext) => {
    const holder = namedUser(context)
    if (holder && origin.isForeign(context)) throw refusedOrigin()
    return holder
  }

  return {
    user,
    admit: async (context, scope) => {
      const holder = user(context)
      if (holder) {
        admit(holder, scope)
        return holder
      }
      const client = origin.client(context)
      if (!guests.isGuest(client)) return undefined
      if (origin.isForeign(context)) throw refusedOrigin()
      return guests.admit(client, scope)
    },
    sender: async (context) => {
      try {
        return namedUser(context) ?? (await guests.holderAt(origin.client(context)))
      } catch {
        return undefined
      }
    },
  }
}
