import { ipAddressOf, isListed, peerAddressOf } from '../ip-address.ts'
import type { Config } from '../settings/config.ts'
import { isHost } from './listen.ts'
import type { RequestContext } from './routes.ts'

export type ProxyFault = 'silent' | 'untrusted'

export type Origin = Pages & {
  /** Addresses for the answer to a request. */
  addresses: (context: RequestContext) => Addresses
  /** Scheme and host that the request was sent to. */
  own: (context: RequestContext) => string
  /** Addresses for the answers at this scheme and host. */
  addressesAt: (own: string) => Addresses
  /** The client's address; behind trusted proxies, as they report it. */
  client: (context: RequestContext) => string
  /** The same, where nobody else can have chosen it; `undefined` behind a proxy that names no client. */
  knownClient: (context: RequestContext) => string | undefined
  /** True for a request that came through a trusted proxy. */
  isTrusted: (context: RequestContext) => boolean
  /**
   * Why the client of a request behind a proxy is not known: a trusted one is `silent` about it, or one that names it is
   * `untrusted`. `undefined` for all other requests.
   */
  proxyFault: (context: RequestContext) => ProxyFault | undefined
}

const first = (header: string | null) => header?.split(',')[0]?.trim() ?? ''

/** Some proxies add the client's port: `192.0.2.7:5060`, `[2001:db8::7]:5060`. */
const hopShape = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/

const hopsOf = (header: string | null) =>
  (header ?? '').split(',').map((part) => {
    const hop = part.trim()
    const [, ipv6, ipv4] = hopShape.exec(hop) ?? []
    return ipAddressOf(ipv6 ?? ipv4 ?? hop) ?? hop
  })

type OriginConfig = Pick<Config, 'publicUrl' | 'baseUrl' | 'trustedProxies'>

export const createOrigin = ({ publicUrl, baseUrl, trustedProxies }: OriginConfig): Origin => {
  const peerOf = ({ request, server }: RequestContext) => {
    const address = server?.requestIP(request)?.address ?? ''
    return peerAddressOf(address) ?? address
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

  /** Each proxy adds to the end what it saw, so a client may have written what stands before. */
  const namedClient = ({ request }: RequestContext) =>
    hopsOf(request.headers.get('x-forwarded-for')).findLast((hop) => !isTrusted(hop)) || undefined

  return {
    addresses: (context) => addressesAt(requestUrl(context)),
    own: requestUrl,
    addressesAt,
    isTrusted: isProxied,

    client: (context) => {
      const peer = peerOf(context)
      if (!isTrusted(peer)) return peer
      return namedClient(context) ?? (first(context.request.headers.get('x-forwarded-for')) || peer)
    },

    knownClient: (context) => {
      const peer = peerOf(context)
      return isTrusted(peer) ? namedClient(context) : peer
    },

    proxyFault: (context) => {
      const isNamed = Boolean(context.request.headers.get('x-forwarded-for')?.trim())
      if (isProxied(context)) return isNamed ? undefined : 'silent'
      return isNamed ? 'untrusted' : undefined
    },

    ...createPages(requestUrl, [publicUrl, baseUrl]),
  }
}

/** Which page made a browser send a request. */
export type Pages = {
  /** True for a request that a page of another host makes a browser send. */
  isForeign: (context: RequestContext) => boolean
  /** False for a name of the internet that the settings do not know: its owner can let it lead here (DNS rebinding). */
  isOwnName: (context: RequestContext) => boolean
}

/** Names that only a local network resolves: a single word, what RFCs reserve for it, what routers use. */
const homeName = /^(?:[^.]+|.+\.(?:local|localhost|internal|home\.arpa|home|lan|localdomain|fritz\.box))$/

const isHomeName = (hostname: string) =>
  ipAddressOf(hostname.replace(/[[\]]/g, '')) !== undefined || homeName.test(hostname)

const urlOf = (address: string | undefined) => (address ? URL.parse(address) : null)

/**
 * @param requestUrl scheme and host that a request was sent to
 * @param configured addresses of this server in the settings
 */
export const createPages = (
  requestUrl: (context: RequestContext) => string,
  configured: readonly (string | undefined)[],
): Pages => {
  const own = configured.map(urlOf)
  const [ownOrigins, ownHosts] = [own.map((url) => url?.origin), own.map((url) => url?.host)]
  return {
    isForeign: (context) => {
      const { headers } = context.request
      const [site, origin] = [headers.get('sec-fetch-site'), headers.get('origin')]
      if (site === 'cross-site' || site === 'same-site') return true
      if (origin === null) return false
      // A page that sends no referrer has this origin, also for its own server.
      if (origin === 'null') return site !== 'same-origin'
      const sent = urlOf(origin)?.origin
      return sent === undefined || ![urlOf(requestUrl(context))?.origin, ...ownOrigins].includes(sent)
    },
    isOwnName: (context) => {
      // A browser has checked the certificate for this name.
      const { protocol, hostname, host } = new URL(requestUrl(context))
      return protocol === 'https:' || ownHosts.includes(host) || isHomeName(hostname)
    },
  }
}

/** Builds every absolute address in answers. */
export type Addresses = {
  /** Address of the API, without trailing slash. */
  baseUrl: string
  /** Address of the pages, without trailing slash. */
  publicUrl: string
  paste: (name: string) => string
  rawPaste: (name: string) => string
  link: (name: string) => string
  comparison: (name: string, other: string) => string
  pasteDeletion: (deletionKey: string) => string
  linkDeletion: (deletionKey: string) => string
  /** True for a short link of this service: a link to it would be a loop. */
  isOwnLink: (url: URL) => boolean
}

/** A host for comparing: `nas.`, the absolute form in the DNS, equals `nas`. */
const hostOf = ({ hostname, port }: URL) => `${hostname.replace(/\.$/, '')}:${port}`

const prefixOf = ({ pathname }: URL) => pathname.replace(/\/+$/, '')

/** The path below this prefix, if it is there. */
const below = (prefix: string, pathname: string) =>
  pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : undefined

/** Removes prefixes repeatedly, because the proxy may remove one before we do. */
const withoutPrefixes = (pathname: string, prefixes: readonly string[]): string => {
  const prefix = prefixes.find((one) => one !== '' && pathname.startsWith(`${one}/`))
  return prefix === undefined ? pathname : withoutPrefixes(pathname.slice(prefix.length), prefixes)
}

/**
 * @param publicUrl address of the pages, without trailing slash
 * @param baseUrl address of the API, without trailing slash
 * @param requestUrl address that the request was sent to
 */
export const createAddresses = (publicUrl: string, baseUrl: string, requestUrl: string): Addresses => ({
  baseUrl,
  publicUrl,
  paste: (name) => `${publicUrl}/p/${name}`,
  rawPaste: (name) => `${publicUrl}/p/raw/${name}`,
  link: (name) => `${publicUrl}/s/${name}`,
  comparison: (name, other) => `${publicUrl}/diff/${name}/${other}`,
  pasteDeletion: (deletionKey) => `${baseUrl}/paste/delete?key=${deletionKey}`,
  linkDeletion: (deletionKey) => `${baseUrl}/shortener/delete?key=${deletionKey}`,
  isOwnLink: (url) => {
    const own = [publicUrl, baseUrl, requestUrl].map((address) => new URL(address))
    const prefixes = own.map(prefixOf)
    return own.some((one) => {
      const rest = hostOf(one) === hostOf(url) ? below(prefixOf(one), url.pathname) : undefined
      return rest !== undefined && withoutPrefixes(rest, prefixes).startsWith('/s/')
    })
  },
})

/** The relative path from a page to the root, such as `../`, so pages work under any sub-path. */
export const relativeRoot = (pathname: string) => '../'.repeat(pathname.split('/').length - 2) || './'
