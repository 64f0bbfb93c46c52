import type { RequestContext } from '../route-list.ts'
import type { Keyless } from './keyless.ts'

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
