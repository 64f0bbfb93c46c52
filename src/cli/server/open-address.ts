import type { networkInterfaces } from 'node:os'

type Interfaces = ReturnType<typeof networkInterfaces>

/** Interfaces of containers, virtual machines and VPNs: other devices of the LAN can seldom reach them. */
const isVirtual = (name: string) =>
  /^(docker|br-|veth|virbr|vmnet|vboxnet|tun|tap|wg|zt|tailscale)/.test(name)

/** An address that a machine chose itself, because it got none. */
const isLinkLocal = (address: string) => address.startsWith('169.254.')

/** IPv4 addresses of this machine for other devices of the LAN, the likeliest first. */
export const lanHosts = (interfaces: Interfaces): readonly string[] => {
  const all = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => ({ address, rank: Number(isVirtual(name)) + 2 * Number(isLinkLocal(address)) })),
  )
  return all.sort((a, b) => a.rank - b.rank).map(({ address }) => address)
}

/** True if the server listens on all addresses of the machine. */
export const isEverywhere = (host: string) => host === '0.0.0.0' || host === '::'

export const addressOf = (host: string, port: number) =>
  `http://${host.includes(':') ? `[${host}]` : host}${port === 80 ? '' : `:${port}`}`

const isOwnMachine = (host: string) => /^(localhost|127\..*|::1)$/.test(host)

export type Bound = { publicUrl: string | undefined; host: string; port: number; interfaces: Interfaces }

/** The address to open in a browser; `isNear` if only this machine can reach it. */
export const openAddress = ({ publicUrl, host, port, interfaces }: Bound) => {
  if (publicUrl !== undefined)
    return { address: publicUrl, isNear: isOwnMachine(new URL(publicUrl).hostname) }
  const near = isEverywhere(host) ? (lanHosts(interfaces)[0] ?? 'localhost') : host
  return { address: addressOf(near, port), isNear: isOwnMachine(near) }
}
