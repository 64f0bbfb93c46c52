import { hostname, networkInterfaces } from 'node:os'
import { isEverywhere } from '../../ip-address.ts'
import type { Terminal } from '../terminal.ts'

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

type Reader = Terminal['readFile']

const textOf = (readFile: Reader, path: string) => {
  try {
    return readFile(path)
  } catch {
    return undefined
  }
}

/** Flags of Linux (`if_addr.h`): temporary, duplicate, deprecated, not yet checked. */
const passingFlags = 0x01 | 0x08 | 0x20 | 0x40

/** @param table `/proc/net/if_inet6` */
const passingIn = (table: string) =>
  new Set(
    table.split('\n').flatMap((line) => {
      const [digits = '', , , , flags = '0'] = line.trim().split(/ +/)
      const groups = digits.match(/[0-9a-f]{4}/g)
      const isPassing = (Number.parseInt(flags, 16) & passingFlags) !== 0
      return groups?.length === 8 && isPassing ? [bracketed(groups.join(':'))] : []
    }),
  )

/** A name that others can know: none of a container, and none that means the reader's own machine. */
const isName = (name: string) =>
  /^[a-z\d-]{1,63}(\.[a-z\d-]{1,63})*$/i.test(name) && !/^localhost\b|^[\da-f]{12}$/i.test(name)

/** The name for which Avahi, if it runs, answers others; another machine of the same name can make it choose a second one. */
const avahiName = (readFile: Reader, name: string) => {
  const pid = textOf(readFile, '/run/avahi-daemon/pid')?.trim()
  if (!pid || textOf(readFile, `/proc/${pid}/comm`)?.trim() !== 'avahi-daemon') return undefined
  const settings = textOf(readFile, '/etc/avahi/avahi-daemon.conf') ?? ''
  const settingOf = (key: string) => new RegExp(`^\\s*${key}\\s*=\\s*(\\S+)`, 'm').exec(settings)?.[1]
  if (settingOf('disable-publishing') === 'yes' || settingOf('publish-addresses') === 'no') return undefined
  return `${settingOf('host-name') ?? name.split('.')[0]}.${settingOf('domain-name') ?? 'local'}`
}

/** macOS answers for its own name, which ends in `.local`. */
const localNameOf = ({ readFile, platform }: Terminal, name: string) => {
  if (platform === 'darwin') return name.endsWith('.local') ? name : undefined
  return platform === 'linux' ? avahiName(readFile, name) : undefined
}

/** In a container with a network of its own, each card is one end of a cable whose other end is elsewhere. */
const isHiddenContainer = ({ readFile, env }: Terminal, cards: readonly string[]) => {
  const isContainer =
    env.KUBERNETES_SERVICE_HOST !== undefined ||
    ['/.dockerenv', '/run/.containerenv'].some((path) => textOf(readFile, path) !== undefined)
  const indexOf = (card: string, file: string) => textOf(readFile, `/sys/class/net/${card}/${file}`)
  return (
    isContainer &&
    cards.length > 0 &&
    cards.every((card) => indexOf(card, 'iflink') !== indexOf(card, 'ifindex'))
  )
}

/** What this machine knows of its network: some files, and nothing asked of others. */
export const ownNetwork = (
  terminal: Terminal,
  interfaces = networkInterfaces(),
  ownName = hostname(),
): Network => {
  const cards = Object.keys(interfaces).filter((card) => !interfaces[card]?.every(({ internal }) => internal))
  const lowerName = ownName.toLowerCase()
  const name = isName(lowerName) ? lowerName : undefined
  return {
    interfaces,
    passing: passingIn(textOf(terminal.readFile, '/proc/net/if_inet6') ?? ''),
    name: name?.endsWith('.local') ? undefined : name,
    localName: name && localNameOf(terminal, name),
    isHidden: isHiddenContainer(terminal, cards),
  }
}
