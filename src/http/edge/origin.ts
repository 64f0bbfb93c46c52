import { isIPv6 } from 'node:net'
import type { Config } from '../../settings/config.ts'
import { type Addresses, createAddresses } from '../../urls.ts'
import { isHost } from '../fast-path.ts'
import type { RequestContext } from '../route-list.ts'

export type Origin = {
  /** Addresses for the answer to a request. */
  addresses: (context: RequestContext) => Addresses
  /** Scheme and host that the request was sent to. */
  own: (context: RequestContext) => string
  /** Addresses for the answers at this scheme and host. */
  addressesAt: (own: string) => Addresses
  /** The client's address; behind trusted proxies, as they report it. */
  client: (context: RequestContext) => string
  /** True for a request that came through a trusted proxy. */
  isTrusted: (context: RequestContext) => boolean
}

const first = (header: string | null) => header?.split(',')[0]?.trim() ?? ''

type OriginConfig = Pick<Config, 'publicUrl' | 'baseUrl' | 'trustedProxies'>

export const createOrigin = ({ publicUrl, baseUrl, trustedProxies }: OriginConfig): Origin => {
  const peerOf = ({ request, server }: RequestContext) =>
    (server?.requestIP(request)?.address ?? '').replace(/^::ffff:(?=\d+\.)/, '')

  const isTrusted = (address: string) =>
    trustedProxies !== undefined &&
    address !== '' &&
    trustedProxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

  // Asking Bun for the peer's address takes 4 µs.
  const isProxied = (context: RequestContext) => trustedProxies !== undefined && isTrusted(peerOf(context))

  const requestUrl = (context: RequestContext) => {
    const { headers } = context.request
    if (!isProxied(context)) return `http://${headers.get('host')}`
    const forwardedHost = first(headers.get('x-forwarded-host'))
    const forwardedScheme = first(headers.get('x-forwarded-proto'))
    const host = isHost(forwardedHost) ? forwardedHost : headers.get('host')
    return `${forwardedScheme === 'https' ? 'https' : 'http'}://${host}`
  }

  const addressesAt = (own: string) => createAddresses(publicUrl ?? own, baseUrl ?? own, own)

  return {
    addresses: (context) => addressesAt(requestUrl(context)),
    own: requestUrl,
    addressesAt,
    isTrusted: (context) => isTrusted(peerOf(context)),
    client: (context) => {
      const peer = peerOf(context)
      return (isTrusted(peer) && first(context.request.headers.get('x-forwarded-for'))) || peer
    },
  }
}
