import { ipAddressOf, isListed } from '../../ip-address.ts'
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
  /** True for a request that a page of another host makes a browser send. */
  isForeign: (context: RequestContext) => boolean
}

const first = (header: string | null) => header?.split(',')[0]?.trim() ?? ''

/** Some proxies add the client's port: `192.0.2.7:5060`, `[2001:db8::7]:5060`. */
const hopShape = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/

const hopsOf = (header: string | null) =>
  (header ?? '').split(',').flatMap((part) => {
    const hop = part.trim()
    const [, ipv6, ipv4] = hopShape.exec(hop) ?? []
    return hop === '' ? [] : [ipAddressOf(ipv6 ?? ipv4 ?? hop) ?? hop]
  })

const hostOf = (address: string | undefined) => (address && URL.parse(address)?.host) || undefined

type OriginConfig = Pick<Config, 'publicUrl' | 'baseUrl' | 'trustedProxies'>

export const createOrigin = ({ publicUrl, baseUrl, trustedProxies }: OriginConfig): Origin => {
  const peerOf = ({ request, server }: RequestContext) => {
    const address = server?.requestIP(request)?.address ?? ''
    return ipAddressOf(address) ?? address
  }

  const isTrusted = (address: string) =>
    trustedProxies !== undefined && ipAddressOf(address) !== undefined && isListed(trustedProxies, address)

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

  const configuredHosts = [hostOf(publicUrl), hostOf(baseUrl)]

  return {
    addresses: (context) => addressesAt(requestUrl(context)),
    own: requestUrl,
    addressesAt,
    isTrusted: isProxied,

    client: (context) => {
      const peer = peerOf(context)
      if (!isTrusted(peer)) return peer
      // Each proxy adds to the end what it saw, so a client may have written what stands before.
      const hops = hopsOf(context.request.headers.get('x-forwarded-for'))
      return hops.findLast((hop) => !isTrusted(hop)) ?? hops[0] ?? peer
    },

    isForeign: (context) => {
      const { headers } = context.request
      const [site, origin] = [headers.get('sec-fetch-site'), headers.get('origin')]
      if (site === 'cross-site' || site === 'same-site') return true
      if (origin === null) return false
      // A page that sends no referrer has this origin, also for its own server.
      if (origin === 'null') return site !== 'same-origin'
      const host = hostOf(origin)
      return host === undefined || ![hostOf(requestUrl(context)), ...configuredHosts].includes(host)
    },
  }
}
