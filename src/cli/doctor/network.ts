import { isIP } from 'node:net'
import { isEverywhere } from '../../ip-address.ts'
import type { Config } from '../../settings/config.ts'
import { Failure, type Reply, send, tlsTrouble } from '../client/send.ts'
import { readyAt } from '../server/healthcheck.ts'
import { isOwnMachine, webAddress } from '../server/open-address.ts'
import { bad, type Diagnosis, doubtful, good } from './finding.ts'

const aboutPort = 'port'
const noAddress = 'this machine has no address on a network'

/** What a server listens at; `flag` is the setting that changes it. */
type ListenPlace = { about: string; flag: string; host: string; port: number }

/** Port 0 is any free one, so nobody knows which it is. */
const besidesOf = ({ metrics, netcat }: Config): ListenPlace[] => [
  ...(metrics?.port ? [{ about: 'metrics', flag: '--metrics', ...metrics }] : []),
  ...(netcat?.port ? [{ about: 'netcat', flag: '--netcat', ...netcat }] : []),
]

const bind = ({ host, port }: ListenPlace) => {
  try {
    return { listener: Bun.listen({ hostname: host, port, exclusive: true, socket: { data: () => {} } }) }
  } catch (error) {
    // The runtime gives no code for a name that it cannot find.
    const { code = isIP(host) === 0 ? 'ENOTFOUND' : String(error) } = error as { code?: string }
    return { problem: code }
  }
}

/** Binds these for a moment, all together, because two may want the same. @returns for each the code of its error */
const bindProblems = (places: readonly ListenPlace[]) => {
  const bound = places.map(bind)
  for (const { listener } of bound) listener?.stop(true)
  return bound.map(({ problem }) => problem)
}

const problemFinding = ({ about, flag, host, port }: ListenPlace, problem: string): Diagnosis => {
  const place = `${port} on ${host}`
  const ownHost = 'use an address of this machine, or 0.0.0.0 for all of them'
  const findings: Readonly<Record<string, Diagnosis>> = {
    EADDRINUSE: bad(about, `${place} is used already`, `choose another with ${flag}`),
    EACCES: bad(about, `${place} needs more rights`, `choose one above 1023 with ${flag}`),
    EADDRNOTAVAIL: bad(about, `this machine has no address ${host}`, ownHost),
    ENOTFOUND: bad(about, `there is no host named ${host}`, ownHost),
  }
  return (
    findings[problem] ?? bad(about, `cannot listen on ${place}: ${problem}`, `choose another with ${flag}`)
  )
}

/** @param own the address of this machine for others, where the server is to be at all of its addresses */
const runningFinding = (
  { host, port }: Config,
  own: string | undefined,
  answers: readonly { host: string; isReady: boolean; why: string }[],
): Diagnosis => {
  const place = `${port} on ${host}`
  const unready = answers.find(({ isReady }) => !isReady)
  if (unready)
    return bad(aboutPort, `a Shortcrust server at ${place} is not ready: ${unready.why}`, 'look at its log')
  const far = answers.map((answer) => answer.host).find((one) => !isEverywhere(one))
  if (own !== undefined && far === undefined)
    return doubtful(
      aboutPort,
      `a Shortcrust server answers at ${port}, but only this machine reaches it`,
      'start it with --host 0.0.0.0, or put a proxy in front of it',
    )
  return good(
    aboutPort,
    `a Shortcrust server answers at ${place}: ${far ? webAddress(far, port) : noAddress}`,
  )
}

const freeFinding = ({ host, port }: Config, own: string | undefined): Diagnosis => {
  const place = `${port} on ${host}`
  if (isOwnMachine(host))
    return doubtful(
      aboutPort,
      `${place} is free, but only this machine reaches it`,
      'set --host 0.0.0.0, or use a proxy',
    )
  const far = isEverywhere(host) ? own : host
  return good(aboutPort, `${place} is free; a server will be at ${far ? webAddress(far, port) : noAddress}`)
}

const besideFinding = (place: ListenPlace, problem: string | undefined, isServing: boolean): Diagnosis => {
  const { about, flag, host, port } = place
  const isListening = isServing && problem === 'EADDRINUSE'
  if (isListening) return good(about, `something listens at ${port} on ${host}, as the running server should`)
  if (problem !== undefined) return problemFinding(place, problem)
  if (!isServing) return good(about, `${port} on ${host} is free`)
  const says = `nothing listens at ${port} on ${host}, though a server runs`
  return doubtful(about, says, `start the server with ${flag}`)
}

/**
 * Whether each port is free, or has our server. `isServing` is true if the port of the pages has it.
 * @param ownHost the address of this machine for others
 */
export const lookAtPorts = async (
  config: Config,
  ownHost: string | undefined,
): Promise<{ findings: readonly Diagnosis[]; isServing: boolean }> => {
  const { host, port } = config
  const own = isEverywhere(host) ? ownHost : undefined
  const hosts = own === undefined ? [host] : [host, own]
  const asked = hosts.map(async (one) => ({ host: one, ...(await readyAt({ ...config, host: one })) }))
  const answers = (await Promise.all(asked)).filter(({ isShortcrust }) => isShortcrust)
  const isServing = answers.length > 0
  const main = { about: aboutPort, flag: '--port', host, port }
  const besides = besidesOf(config)
  const [problem, ...problems] = bindProblems([main, ...besides])
  const withoutServer = () =>
    problem === undefined ? freeFinding(config, own) : problemFinding(main, problem)
  const first = isServing ? runningFinding(config, own, answers) : withoutServer()
  const rest = besides.map((place, at) => besideFinding(place, problems[at], isServing))
  return { isServing, findings: [first, ...rest] }
}

const aboutAddress = 'address'
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
  if (isMoved) return bad(aboutAddress, says, `ask at that address: --url ${location.slice(0, -path.length)}`)
  if (status >= 502 && status <= 504)
    return bad(
      aboutAddress,
      says,
      'start the server, and look at the address that the proxy passes requests to',
    )
  return bad(aboutAddress, says, `let the proxy pass all paths on, and ask for no login at ${path}`)
}

const nameFinding = (address: string, own: string, config: Config) => {
  if (own === address) return good(aboutAddress, `${address} is what the server calls itself`)
  const says = `asked at ${address}, the server calls itself ${own}, and so do the links that it gives out`
  return bad(aboutAddress, says, proxyAdvice(new URL(address), new URL(own), config))
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
const clientFindings = (body: unknown, { guestFrom }: Config): Diagnosis[] => {
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
  return bad(aboutAddress, message, advice)
}

/** Asks a server through its proxy: whether it knows the address it was asked at, and the client. */
export const lookAtProxy = async (address: string, config: Config): Promise<Diagnosis[]> => {
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
