import { networkInterfaces } from 'node:os'
import { isEverywhere } from '../../ip-address.ts'
import type { Config } from '../../settings/config.ts'
import { readyAt } from '../server/healthcheck.ts'
import { addressOf, lanHosts } from '../server/open-address.ts'
import { bad, doubtful, type Finding, good } from './finding.ts'

const about = 'port'

/** Binds the port for a moment. @returns the code of the error, if there is one */
const bindProblem = ({ host, port }: Config) => {
  try {
    Bun.listen({ hostname: host, port, exclusive: true, socket: { data: () => {} } }).stop(true)
    return undefined
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
}

const reachable = ({ host, port }: Config) => {
  const hosts = isEverywhere(host) ? lanHosts(networkInterfaces(), host) : [host]
  return hosts.map((one) => addressOf(one, port)).join(', ') || 'this machine has no address on a network'
}

/** Whether the port is free, or has our server. `isServing` is true for the latter. */
export const lookAtPort = async (config: Config): Promise<{ finding: Finding; isServing: boolean }> => {
  const { host, port } = config
  const place = `${port} on ${host}`
  const ready = await readyAt(config)
  if (ready.isShortcrust)
    return {
      isServing: true,
      finding: ready.isReady
        ? good(about, `a Shortcrust server answers at ${place}: ${reachable(config)}`)
        : bad(about, `a Shortcrust server at ${place} is not ready: ${ready.why}`, 'look at its log'),
    }
  const problem = bindProblem(config)
  const findings: Readonly<Record<string, Finding>> = {
    EADDRINUSE: bad(about, `${place} is used by another program`, 'choose another with --port'),
    EACCES: bad(about, `${place} needs more rights`, 'choose one above 1023 with --port'),
    EADDRNOTAVAIL: bad(about, `this machine has no address ${host}`, 'use one of its own, or --host 0.0.0.0'),
  }
  const known = problem === undefined ? undefined : findings[problem]
  if (known) return { finding: known, isServing: false }
  if (problem !== undefined)
    return { finding: bad(about, `cannot listen on ${place}: ${problem}`, 'try another'), isServing: false }
  const isNear = /^(localhost|127\.|::1$)/.test(host)
  const finding = isNear
    ? doubtful(
        about,
        `${place} is free, but only this machine reaches it`,
        'set --host 0.0.0.0, or use a proxy',
      )
    : good(about, `${place} is free; a server will be at ${reachable(config)}`)
  return { finding, isServing: false }
}
