import type { Config } from '../../settings/config.ts'
import { Failure } from '../client/failures.ts'
import { send } from '../client/send.ts'
import { bad, type Finding, good } from './finding.ts'

const timeoutMs = 10_000
/** The description of the API has about 150 KB. */
const maxReplyBytes = 4 * 1024 ** 2

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

/** Asks a server through its proxy, and compares the address it sees with the one it was asked at. */
export const lookAtProxy = async (address: string, config: Config): Promise<Finding> => {
  const about = 'address'
  try {
    const reply = await send({
      method: 'GET',
      server: address,
      path: '/openapi.json',
      timeoutMs,
      maxReplyBytes,
    })
    const own = ownAddress(reply.body)
    if (own === undefined) {
      const says = `${address} answers ${reply.status}, but not as Shortcrust does`
      return bad(about, says, 'let the proxy pass all paths on, and ask for no login at /openapi.json')
    }
    if (own === address) return good(about, `${address} is what the server calls itself`)
    const says = `asked at ${address}, the server calls itself ${own}, and so do the links that it gives out`
    return bad(about, says, proxyAdvice(new URL(address), new URL(own), config))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return bad(about, error.message, 'start the proxy and the server, and look at their ports')
  }
}
