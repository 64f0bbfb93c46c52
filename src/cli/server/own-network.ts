import { hostname, networkInterfaces } from 'node:os'
import type { Terminal } from '../terminal.ts'
import { bracketed, type Network } from './open-address.ts'

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
