import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isEverywhere } from '../../ip-address.ts'
import type { Config } from '../../settings/config.ts'
import { readyAt } from '../server/healthcheck.ts'
import { addressOf, isOwnMachine, lanHosts } from '../server/open-address.ts'
import { bad, doubtful, type Finding, good } from './finding.ts'

const about = 'port'

/** What a server listens at; `flag` is the setting that changes it. */
type Place = { about: string; flag: string; host: string; port: number }

/** Port 0 is any free one, so nobody knows which it is. */
const besidesOf = ({ metrics, netcat }: Config): Place[] => [
  ...(metrics?.port ? [{ about: 'metrics', flag: '--metrics', ...metrics }] : []),
  ...(netcat?.port ? [{ about: 'netcat', flag: '--netcat', ...netcat }] : []),
]

const bind = ({ host, port }: Place) => {
  try {
    return { listener: Bun.listen({ hostname: host, port, exclusive: true, socket: { data: () => {} } }) }
  } catch (error) {
    // The runtime gives no code for a name that it cannot find.
    const { code = isIP(host) === 0 ? 'ENOTFOUND' : String(error) } = error as { code?: string }
    return { problem: code }
  }
}

/** Binds these for a moment, all together, because two may want the same. @returns for each the code of its error */
const bindProblems = (places: readonly Place[]) => {
  const bound = places.map(bind)
  for (const { listener } of bound) listener?.stop(true)
  return bound.map(({ problem }) => problem)
}

const problemFinding = ({ about, flag, host, port }: Place, problem: string): Finding => {
  const place = `${port} on ${host}`
  const ownHost = 'use an address of this machine, or 0.0.0.0 for all of them'
  const findings: Readonly<Record<string, Finding>> = {
    EADDRINUSE: bad(about, `${place} is used already`, `choose another with ${flag}`),
    EACCES: bad(about, `${place} needs more rights`, `choose one above 1023 with ${flag}`),
    EADDRNOTAVAIL: bad(about, `this machine has no address ${host}`, ownHost),
    ENOTFOUND: bad(about, `there is no host named ${host}`, ownHost),
  }
  return (
    findings[problem] ?? bad(about, `cannot listen on ${place}: ${problem}`, `choose another with ${flag}`)
  )
}

const addressesOf = (hosts: readonly string[], port: number) =>
  hosts.map((host) => addressOf(host, port)).join(', ') || 'this machine has no address on a network'

/** The hosts at which a Shortcrust server answers, of the one in the settings and its other addresses. */
const answersAt = async (config: Config, others: readonly string[]) => {
  const asked = [config.host, ...others].map(async (host) => ({
    host,
    ...(await readyAt({ ...config, host })),
  }))
  return (await Promise.all(asked)).filter(({ isShortcrust }) => isShortcrust)
}
type Answers = Awaited<ReturnType<typeof answersAt>>

const runningFinding = ({ host, port }: Config, others: readonly string[], answers: Answers): Finding => {
  const place = `${port} on ${host}`
  const unready = answers.find(({ isReady }) => !isReady)
  if (unready)
    return bad(about, `a Shortcrust server at ${place} is not ready: ${unready.why}`, 'look at its log')
  const far = answers.map((answer) => answer.host).filter((one) => !isEverywhere(one))
  if (others.length > 0 && far.length === 0)
    return doubtful(
      about,
      `a Shortcrust server answers at ${port}, but only this machine reaches it`,
      'start it with --host 0.0.0.0, or put a proxy in front of it',
    )
  return good(about, `a Shortcrust server answers at ${place}: ${addressesOf(far, port)}`)
}

const freeFinding = ({ host, port }: Config, others: readonly string[]): Finding => {
  const place = `${port} on ${host}`
  if (!isOwnMachine(host)) {
    const hosts = isEverywhere(host) ? others : [host]
    return good(about, `${place} is free; a server will be at ${addressesOf(hosts, port)}`)
  }
  const says = `${place} is free, but only this machine reaches it`
  return doubtful(about, says, 'set --host 0.0.0.0, or use a proxy')
}

const besideFinding = (place: Place, problem: string | undefined, isServing: boolean): Finding => {
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
 * @param ownHosts the addresses of this machine for others
 */
export const lookAtPorts = async (
  config: Config,
  ownHosts: readonly string[] = lanHosts(networkInterfaces(), config.host),
): Promise<{ findings: readonly Finding[]; isServing: boolean }> => {
  const { host, port } = config
  const others = isEverywhere(host) ? ownHosts : []
  const answers = await answersAt(config, others)
  const isServing = answers.length > 0
  const main = { about, flag: '--port', host, port }
  const besides = besidesOf(config)
  const [problem, ...problems] = bindProblems([main, ...besides])
  const withoutServer = () =>
    problem === undefined ? freeFinding(config, others) : problemFinding(main, problem)
  const first = isServing ? runningFinding(config, others, answers) : withoutServer()
  const rest = besides.map((place, at) => besideFinding(place, problems[at], isServing))
  return { isServing, findings: [first, ...rest] }
}
