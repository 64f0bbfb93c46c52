import { AppError, forbidden, unauthorized } from '../errors.ts'
import { asks } from '../format.ts'
import type { Scope } from '../items/schema.ts'
import type { Admit, Authenticate, Guests, KeyHolder } from '../services/keys.ts'
import { isBrowser } from './negotiate.ts'
import type { Origin } from './origin.ts'
import type { Handle, KeyedContext, RequestContext, RouteContext } from './routes.ts'

export type KeylessParts = {
  origin: Pick<Origin, 'client' | 'knownClient' | 'isTrusted' | 'isForeign' | 'isOwnName'>
  guests: Guests
  admit: Admit
  /** In lower case; `undefined` if no proxy names users. */
  userHeader: string | undefined
}

/** Who needs no key: a guest of the network, or a user with the name that the proxy says. */
export type Sender = { as: 'guest' } | { as: 'user'; name: string }

/** Who a request without a key comes from. */
export type Keyless = {
  /**
   * The user that a trusted proxy names; `undefined` if there is none.
   * @throws {AppError} `unauthorized` for a name that cannot be used, `forbidden` for a request from a page of another host
   */
  user: (context: RequestContext) => KeyHolder | undefined
  /** True if a trusted proxy names a user. */
  namesUser: (context: RequestContext) => boolean
  /**
   * The user, or else the guest, who creates an item; takes a token.
   * @throws {AppError} as `user` does; as a request with a key does
   */
  admit: (context: RequestContext, scope: Scope) => Promise<KeyHolder | undefined>
  /**
   * Who could create without a key; `undefined` for everybody else, and for a guest's browser at a name that could lead
   * elsewhere. Takes no token.
   */
  sender: (context: RequestContext) => Promise<Sender | undefined>
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

/** What Apache and Caddy send where nobody has signed in: `(null)`, the name of a variable in braces. */
const nobody = /^\(null\)$|[{}]/

/** A comma joins two headers of the same name: one of them may be the client's. */
const userIn = (header: string, name: string) => {
  const user = decoded(header).normalize('NFC').trim()
  const isName = user !== '' && user.length <= longestUser && !/[\p{C}\p{Zl}\p{Zp},]/u.test(user)
  if (isName && !nobody.test(user)) return user
  throw unauthorized(
    `The proxy sent a user in "${name}" that cannot be used: ` +
      `send one name of 1 to ${longestUser} characters, without commas, braces and control characters`,
  )
}

const refusedOrigin = () =>
  forbidden(
    'A page of another host sent this request, and may not create without an API key. ' +
      'If it is a page of this server, set --public-url to its address',
  )

/** The page of a stranger's name has this server's address from one minute to the next, if the stranger wants it. */
const refusedName = () =>
  forbidden(
    'Guests need an API key at this address, because its name could lead elsewhere. ' +
      'If it is the name of this server, set --public-url to it',
  )

/** True for a request that a page surely sent: programs name no page. */
const isOfPage = ({ request: { headers } }: RequestContext) =>
  headers.has('origin') || headers.has('sec-fetch-site')

const unknownClient = () =>
  unauthorized(
    'The header "key" with an API key is missing. Guests need none, but this came through a proxy that does not say ' +
      'from where: name the proxy in --trust-proxy, and let it send X-Forwarded-For',
    { field: 'key', message: asks.key },
  )

export const createKeyless = ({ origin, guests, admit, userHeader }: KeylessParts): Keyless => {
  const namedUser = (context: RequestContext) => {
    const header = userHeader && context.request.headers.get(userHeader)
    return header && origin.isTrusted(context) ? userIn(header, userHeader) : undefined
  }

  const user = (context: RequestContext): KeyHolder | undefined => {
    const found = namedUser(context)
    if (found === undefined) return undefined
    if (origin.isForeign(context)) throw refusedOrigin()
    const name = ownerOf(found)
    return { name, as: 'user', bucket: name }
  }

  /** @throws {AppError} `unauthorized` for a proxy among the guests: what it forgets to say would count as its own */
  const guestAt = (context: RequestContext) => {
    const client = origin.knownClient(context)
    if (client !== undefined) return guests.isGuest(client) ? client : undefined
    if (guests.isGuest(origin.client(context))) throw unknownClient()
    return undefined
  }

  /** Old browsers send no `Origin`, but ask for pages. Other programs use any name: `admit` refuses scripts of pages. */
  const mayBeGuest = (context: RequestContext) =>
    guests.isOpen && (origin.isOwnName(context) || !isBrowser(context.request))

  return {
    user,
    namesUser: (context) => {
      try {
        return namedUser(context) !== undefined
      } catch {
        return false
      }
    },
    admit: async (context, scope) => {
      const holder = user(context)
      if (holder) {
        await admit(holder, scope)
        return holder
      }
      const client = guestAt(context)
      if (client === undefined) return undefined
      if (origin.isForeign(context)) throw refusedOrigin()
      if (isOfPage(context) && !origin.isOwnName(context)) throw refusedName()
      return guests.admit(client, scope)
    },
    sender: async (context) => {
      try {
        const name = namedUser(context)
        if (name !== undefined) return { as: 'user', name }
        const client = mayBeGuest(context) ? guestAt(context) : undefined
        return client !== undefined && (await guests.holderAt(client)) ? { as: 'guest' } : undefined
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return undefined
      }
    },
  }
}

/** Guests share one owner, so none may change what another made. @throws {AppError} `forbidden` for `replace` */
export const checkGuestCreation = ({ as }: KeyHolder, body: object) => {
  if (as === 'guest' && 'replace' in body && body.replace)
    throw forbidden('Without an API key you can only create: "replace" needs the key that made the item')
  if (as === 'guest' && 'madeAt' in body)
    throw forbidden('Without an API key you cannot import: leave out "madeAt", or send a key')
}

/** The key that a request carries; `null` if it carries none. */
export type SentKey = (context: RequestContext) => string | null

export type SentKeys = {
  /** Of an upload: its own header, or `Authorization` with a bearer token (RFC 6750) or, as rustypaste has it, the key alone. */
  uploadKey: SentKey
  /** Of a haste client: as of an upload, or a password (RFC 7617). */
  hasteKey: SentKey
}

/** What `Authorization` holds, if its scheme is this one. */
const credentials = (header: string, scheme: string) => {
  const [, name = '', value = ''] = /^(\w+) +(\S+)$/.exec(header) ?? []
  return name.toLowerCase() === scheme ? value : ''
}

/** The password, or the user name if there is none: some clients accept a key only as `http://KEY@host`. */
const basicKey = (encoded: string) => {
  const [, name = '', password = ''] =
    /^([^:]*):?(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  return password || name
}

/** The keys of `shortcrust keys add` begin so: nobody sends one to sign in at a proxy. */
const isOurs = (token: string) => token.startsWith('sc_')

/** Where the proxy names the user, a password and a token are what that user signed in with. */
export const createSentKeys = ({ namesUser }: Pick<Keyless, 'namesUser'>): SentKeys => {
  const bearer = (context: RequestContext, header: string) => {
    const token = isOurs(header) ? header : credentials(header, 'bearer')
    return token === '' || (!isOurs(token) && namesUser(context)) ? null : token
  }
  const sent = ({ headers }: Request) => [headers.get('key'), headers.get('authorization') ?? ''] as const
  return {
    uploadKey: (context) => {
      const [key, authorization] = sent(context.request)
      return key ?? bearer(context, authorization)
    },
    hasteKey: (context) => {
      const [key, authorization] = sent(context.request)
      const password = credentials(authorization, 'basic')
      if (key !== null || password === '') return key ?? bearer(context, authorization)
      return namesUser(context) ? null : basicKey(password)
    },
  }
}

export type KeyChecksParts = { authenticate: Authenticate; admit: Admit; keyless: Keyless }

/**
 * Lets a request through that may create this kind of item, and has a token left: with a valid key, as a user of a trusted
 * proxy, or as a guest.
 * @throws {AppError} `unauthorized`, `forbidden`, `rate-limited`, in this order: a forbidden request takes no token
 */
export type Guard = (context: RequestContext, key: string | null, scope: Scope) => Promise<KeyHolder>

/** The holder of a key, or the user of a trusted proxy; takes no token. @throws {AppError} `unauthorized`, `forbidden` */
export type Identify = (context: RequestContext, key: string | null) => Promise<KeyHolder>

const missingKey = () =>
  unauthorized('The header "key" with an API key is missing', { field: 'key', message: asks.key })

export type KeyChecks = SentKeys & {
  guard: Guard
  /** As `guard`, but guests change nothing. */
  guardChange: Guard
  identify: Identify
}

/** The checks of who sends a request. */
export const createKeyChecks = ({ authenticate, admit, keyless }: KeyChecksParts): KeyChecks => {
  const holderOf = async (key: string) => {
    const holder = await authenticate(key)
    if (holder) return holder
    throw unauthorized('This API key is not valid', {
      field: 'key',
      message: 'This API key is not valid. Check it, or ask for a new one.',
    })
  }
  const identify: Identify = async (context, key) => {
    const holder = key ? await holderOf(key) : keyless.user(context)
    if (!holder) throw missingKey()
    return holder
  }
  const admitted = async (holder: KeyHolder, scope: Scope) => {
    await admit(holder, scope)
    return holder
  }
  const guard: Guard = async (context, key, scope) => {
    if (key) return admitted(await holderOf(key), scope)
    const holder = await keyless.admit(context, scope)
    if (!holder) throw missingKey()
    return holder
  }
  const guardChange: Guard = async (context, key, scope) => admitted(await identify(context, key), scope)
  return { identify, guard, guardChange, ...createSentKeys(keyless) }
}

const keyIn = ({ headers }: Request) => headers.get('key')

/** Wrap a handler so that the sender is checked before the body is read. */
export const createAskers = ({ guard, guardChange, identify, uploadKey }: KeyChecks) => {
  const by =
    (check: (context: RequestContext) => Promise<KeyHolder>) =>
    (handle: (context: RouteContext & KeyedContext) => Response | Promise<Response>): Handle =>
    async (context) =>
      handle({ ...context, holder: await check(context) })
  return {
    /** Who may create this kind of item, and has a token left. */
    creator: (scope: Scope) => by((context) => guard(context, keyIn(context.request), scope)),
    /** The same for a paste; takes a bearer token for the key. */
    uploader: by((context) => guard(context, uploadKey(context), 'paste')),
    /** As `creator`, but no guests. */
    changer: (scope: Scope) => by((context) => guardChange(context, keyIn(context.request), scope)),
    /** Any valid key, or a user; takes no token. */
    owner: by((context) => identify(context, keyIn(context.request))),
  }
}
export type Askers = ReturnType<typeof createAskers>
