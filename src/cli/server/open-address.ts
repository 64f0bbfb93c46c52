import { networkInterfaces } from 'node:os'
import { isEverywhere } from '../../ip-address.ts'
import type { Terminal } from '../terminal.ts'

/** The card of the default route; `undefined` where the system does not say. */
const routedCard = (readFile: Terminal['readFile']) => {
  try {
    const routes = readFile('/proc/net/route')
      .split('\n')
      .map((line) => line.split('\t'))
    const defaults = routes.filter(([, destination]) => destination === '00000000')
    return defaults.sort((a, b) => Number(a[6]) - Number(b[6]))[0]?.[0]
  } catch {
    return undefined
  }
}

/** The address of this machine for other devices: on the card of the default route, or else the first. Only a server on `::` has IPv6. */
export const ownHost = (
  readFile: Terminal['readFile'],
  listensOn: string,
  interfaces = networkInterfaces(),
): string | undefined => {
  const { [routedCard(readFile) ?? '']: routed = [], ...others } = interfaces
  const far = [routed, ...Object.values(others)]
    .flatMap((addresses = []) => addresses)
    // Link-local IPv6 needs the name of a card of the reader's machine.
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
  return (far.find(({ family }) => family === 'IPv4') ?? (listensOn === '::' ? far[0] : undefined))?.address
}

/** True in a container: its address is for its host alone. */
export const isInContainer = ({ readFile, env }: Pick<Terminal, 'readFile' | 'env'>) =>
  env.KUBERNETES_SERVICE_HOST !== undefined ||
  ['/.dockerenv', '/run/.containerenv'].some((path) => {
    try {
      return readFile(path) !== undefined
    } catch {
      return false
    }
  })

export const webAddress = (host: string, port: number) =>
  `http://${host.includes(':') ? `[${host}]` : host}${port === 80 ? '' : `:${port}`}`

/** True for a host that is a different machine for each reader: their own. */
export const isOwnMachine = (host: string) => /^(localhost|127\..*|\[?::1\]?)$/.test(host)

/** What a server listens at, and what other devices may call it. */
export type Bound = {
  publicUrl: string | undefined
  baseUrl: string | undefined
  host: string
  port: number
  /** The address of this machine for others. */
  own: string | undefined
  isContainer: boolean
}

/** Where the server can be reached, the one to open first, each with what holds for it alone; empty in a container. */
const placesOf = ({ publicUrl, baseUrl, host, port, own, isContainer }: Bound) => {
  const pages = publicUrl ?? baseUrl
  const places: { address: string; note?: string }[] = []
  if (pages !== undefined) places.push({ address: pages })
  if (baseUrl !== undefined && baseUrl !== pages) places.push({ address: baseUrl, note: ', for the API' })
  if (!isEverywhere(host)) places.push({ address: webAddress(host, port) })
  else if (!isContainer) {
    if (own !== undefined) places.push({ address: webAddress(own, port) })
    places.push({ address: webAddress('localhost', port), note: ', on this machine' })
  }
  return places.filter(({ address }, at) => places.findIndex((one) => one.address === address) === at)
}

/** The address to open in a browser, if it is known; `isNear` if only this machine can reach it. */
export const openAddress = (bound: Bound) => {
  const address = placesOf(bound)[0]?.address
  return { address, isNear: address === undefined || isOwnMachine(new URL(address).hostname) }
}

/** Lines that say where the server can be reached; none where its own line has said it all. */
export const placeLines = (bound: Bound): readonly string[] => {
  const places = placesOf(bound)
  if (places.length === 0)
    return [`in a container: open the address of its host, with the port published for ${bound.port}`]
  if (places.length === 1 && places[0]?.address === webAddress(bound.host, bound.port)) return []
  return places.map(({ address, note = '' }, at) => `${at === 0 ? 'open' : 'or'} ${address}${note}`)
}
