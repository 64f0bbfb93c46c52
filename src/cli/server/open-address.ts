import type { networkInterfaces } from 'node:os'
import { isEverywhere } from '../../ip-address.ts'

type Interfaces = ReturnType<typeof networkInterfaces>

/** What this machine knows of its network without asking it. */
export type Network = {
  interfaces: Interfaces
  /** IPv6 addresses that the system gives up by itself, each in brackets. */
  passing: ReadonlySet<string>
  /** The machine's own name; `undefined` if it has none that others could know. */
  name: string | undefined
  /** Its name in `.local`, if a responder of this machine answers for it. */
  localName: string | undefined
  /** True in a container whose address only its host reaches. */
  isHidden: boolean
}

/** Interfaces of containers and virtual machines: no other device of the LAN reaches them. `br0` and `br-lan` are bridges of it. */
const isInner =
  /^(docker|br-[0-9a-f]{12}$|veth|cni|podman|flannel|cali|lxcbr|lxdbr|incusbr|kube-|virbr|vmnet|vboxnet|vEthernet|bridge1\d\d$)/

/** Interfaces of VPNs: only their members reach them. */
const isVpn = /^(tun|tap|utun|wg|zt|tailscale|ppp)/

/** The likeliest first: IPv4 of the LAN, unique local and global IPv6, VPNs, what a machine without an address chose. */
const rankOf = (name: string, address: string) => {
  if (address.startsWith('169.254.')) return 4
  if (isVpn.test(name)) return 3
  if (!address.includes(':')) return 0
  return /^f[cd]/.test(address) ? 1 : 2
}

/** Unique local and global addresses; link-local ones work only with the name of an interface of the reader's machine. */
const isUsable = (address: string) => !address.includes(':') || /^(f[cd]|[23][0-9a-f]{3}:)/.test(address)

/** An IPv6 address as in a URL, in its one shortest form. */
export const bracketed = (address: string) => new URL(`http://[${address}]`).hostname

/** Addresses of this machine for other devices, the likeliest first. A server on 0.0.0.0 has no IPv6. */
export const lanHosts = (
  interfaces: Interfaces,
  listensOn = '0.0.0.0',
  passing: Network['passing'] = new Set(),
): readonly string[] =>
  Object.entries(interfaces)
    .filter(([name]) => !isInner.test(name))
    .flatMap(([name, addresses = []]) =>
      addresses
        .filter(({ internal, family }) => !internal && (family === 'IPv4' || listensOn === '::'))
        .filter(({ address, family }) => family === 'IPv4' || !passing.has(bracketed(address)))
        .filter(({ address }) => isUsable(address))
        .map(({ address }) => ({ address, rank: rankOf(name, address) })),
    )
    .sort((a, b) => a.rank - b.rank)
    .map(({ address }) => address)

export const addressOf = (host: string, port: number) =>
  `http://${host.includes(':') ? `[${host}]` : host}${port === 80 ? '' : `:${port}`}`

/** True for a host that is a different machine for each reader: their own. */
export const isOwnMachine = (host: string) => /^(localhost|127\..*|\[?::1\]?)$/.test(host)

export type Bound = {
  publicUrl: string | undefined
  baseUrl: string | undefined
  host: string
  port: number
  network: Network
}

/** More would hide the one to open. */
const mostHosts = 4

/** Where a server can be reached; `note` is what holds for it alone. */
export type Place = { address: string; note: string }

const ownPlaces = ({ host, port, network }: Bound): Place[] => {
  const { interfaces, passing, name, localName, isHidden } = network
  const placeOf = (near: string, note = '') => ({ address: addressOf(near, port), note })
  if (!isEverywhere(host)) return [placeOf(host)]
  if (isHidden) return []
  const own = placeOf('localhost', ', on this machine')
  const [first, ...others] = lanHosts(interfaces, host, passing)
  if (first === undefined) return [own]
  const shown = others.slice(0, mostHosts - 1)
  const left = others.length - shown.length
  const isMore = (at: number) => left > 0 && at === shown.length - 1
  return [
    placeOf(first),
    ...(localName === undefined ? [] : [placeOf(localName)]),
    ...shown.map((near, at) => placeOf(near, isMore(at) ? `, and ${left} more of its addresses` : '')),
    ...(name === undefined ? [] : [placeOf(name, ', if your router knows this name')]),
    own,
  ]
}

/** Where the server can be reached, the one to open first; empty in a container that cannot know. */
export const placesOf = (bound: Bound): readonly Place[] => {
  const { publicUrl, baseUrl } = bound
  const pages = publicUrl ?? baseUrl
  const given = [
    ...(pages === undefined ? [] : [{ address: pages, note: '' }]),
    ...(baseUrl === undefined || baseUrl === pages ? [] : [{ address: baseUrl, note: ', for the API' }]),
  ]
  const others = ownPlaces(bound).filter(({ address }) => given.every((one) => one.address !== address))
  return [...given, ...others]
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
  const [first, ...others] = places
  if (others.length === 0 && first?.address === addressOf(bound.host, bound.port)) return []
  return places.map(({ address, note }, at) => `${at === 0 ? 'open' : 'or'} ${address}${note}`)
}
