import type { Config } from '../../settings/config.ts'
import { Failure } from '../client/failures.ts'
import { type Reply, send, tlsTrouble } from '../client/send.ts'
import { isOwnMachine } from '../server/open-address.ts'
import { bad, doubtful, type Finding, good } from './finding.ts'

const about = 'address'
const timeoutMs = 10_000
/** The description of the API has about 150 KB. */
const maxReplyBytes = 4 * 1024 ** 2
const longestLocation = 200

type Description = { info?: { title?: unknown }; servers?: readonly { url?: unknown }[] }

/** The address that the server takes for its own, as its answers would begin with it. */
const ownAddress = (body: unknown) => {
  const { info, servers } = (body ?? {}) as Description
  const url = info?.title === 'Shortcrust' ? servers?.[0]?.url : undefined
  return typeof url === 'string' ? url.replace(/\/$/, '') : undefined
}

const proxyAdvice = (asked: URL, own: URL, { trustedProxies }: Config) => {
  if (trustedProxies === undefined)
    return 'set --trust-proxy to the address of the proxy, or --public-url and --base-url to the address'
  if (asked.protocol !== own.protocol) return 'let the proxy send X-Forwarded-Proto; see docs/proxy.md'
  if (asked.host !== own.host)
    return 'let the proxy send X-Forwarded-Host, or Host as it came; see docs/proxy.md'
  return 'set --public-url and --base-url to the address'
}

/** An answer that does not come from Shortcrust. */
const foreignFinding = (address: string, path: string, { status, headers }: Reply) => {
  const location = headers.get('location')?.slice(0, longestLocation) ?? ''
  const isRedirect = status >= 300 && status < 400 && location !== ''
  const says = isRedirect
    ? `${address} answers ${status} and leads to ${location}`
    : `${address} answers ${status}, but not as Shortcrust does`
  const isMoved = /^https?:/.test(location) && location.endsWith(path)
  if (isMoved) return bad(about, says, `ask at that address: --url ${location.slice(0, -path.length)}`)
  if (status >= 502 && status <= 504)
    return bad(about, says, 'start the server, and look at the address that the proxy passes requests to')
  return bad(about, says, `let the proxy pass all paths on, and ask for no login at ${path}`)
}

const nameFinding = (address: string, own: string, config: Config) => {
  if (own === address) return good(about, `${address} is what the server calls itself`)
  const says = `asked at ${address}, the server calls itself ${own}, and so do the links that it gives out`
  return bad(about, says, proxyAdvice(new URL(address), new URL(own), config))
}

/** What a proxy may do to the address of clients, in the words of `/readyz`. */
const faults: Readonly<Record<string, readonly [says: string, advice: string]>> = {
  silent: [
    'the proxy does not say who asks: guests are asked for a key, and the log shows the proxy',
    'let the proxy send X-Forwarded-For; see docs/proxy.md',
  ],
  untrusted: [
    'the proxy says who asks, but the server does not trust it: everybody counts as the proxy',
    'set --trust-proxy to the address of the proxy',
  ],
}

/** The address of a client decides whether it is a guest; without guests only the log needs it. */
const clientFindings = (body: unknown, { guestFrom }: Config): Finding[] => {
  const { proxy } = (body ?? {}) as { proxy?: unknown }
  const fault = typeof proxy === 'string' && Object.hasOwn(faults, proxy) ? faults[proxy] : undefined
  if (fault === undefined) return []
  return [(guestFrom ? bad : doubtful)('clients', ...fault)]
}

/** True where no proxy can be between: a trusted proxy on this machine would look the same to the server. */
const isDirect = (address: string, { port }: Config) => {
  const url = new URL(address)
  return isOwnMachine(url.hostname) && url.protocol === 'http:' && Number(url.port || 80) === port
}

const failureFinding = ({ message }: Failure) => {
  const advice = message.includes(tlsTrouble)
    ? 'look at the certificate of the proxy, and whether the address begins with http:// or https://'
    : 'start the proxy and the server, and look at their ports'
  return bad(about, message, advice)
}

/** Asks a server through its proxy: whether it knows the address it was asked at, and the client. */
export const lookAtProxy = async (address: string, config: Config): Promise<Finding[]> => {
  const ask = (path: string) => send({ method: 'GET', server: address, path, timeoutMs, maxReplyBytes })
  const path = '/openapi.json'
  try {
    const reply = await ask(path)
    const own = ownAddress(reply.body)
    if (own === undefined) return [foreignFinding(address, path, reply)]
    const name = nameFinding(address, own, config)
    return isDirect(address, config) ? [name] : [name, ...clientFindings((await ask('/readyz')).body, config)]
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [failureFinding(error)]
  }
}
