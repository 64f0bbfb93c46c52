import { ipAddressOf } from '../../ip-address.ts'
import type { RequestContext } from '../route-list.ts'

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
