import { explain } from '../http/errors.ts'
import { listenBeside } from '../http/listen.ts'
import type { Origin } from '../http/origin.ts'
import { isEverywhere } from '../ip-address.ts'
import type { Log } from '../log.ts'
import type { Guests } from '../services/access.ts'
import type { Config } from '../settings/config.ts'
import { createNetcatPaste, type NetcatCreationParts, noGuest } from './create-paste.ts'
import type { NetcatLimits } from './limits.ts'
import { listenForNetcat, type Netcat, type NetcatParts, type Peer } from './listen.ts'

export type NetcatServerParts = Omit<NetcatCreationParts, 'guests'> & {
  /** `undefined` where nothing is taken by netcat. */
  address: Config['netcat']
  /** Where the pages are. */
  http: { hostname: string; port: number }
  guests: Pick<Guests, 'admit' | 'holderAt' | 'isGuest'>
  origin: Pick<Origin, 'addressesAt'>
  log: Log
  limits: NetcatLimits
  maxPasteBytes: number
}

/** The address of a server without its default port. */
const urlOf = (host: string, port: number) =>
  new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`).origin

/** Takes pastes by netcat. @throws {AppError} `unusable-address` */
export const serveNetcat = (parts: NetcatServerParts): Netcat | undefined => {
  const { address, http, guests, origin, log, limits, maxPasteBytes } = parts
  if (!address) return undefined
  const create = createNetcatPaste(parts)
  /** A text names no host, as a request of HTTP does: the page is where the text went. */
  const addressesFor = ({ localHost }: Peer) =>
    origin.addressesAt(urlOf(isEverywhere(http.hostname) ? localHost : http.hostname, http.port))

  const netcat: NetcatParts = {
    hostname: address.host,
    port: address.port,
    limits,
    maxPasteBytes,
    checkAddress: (client) => {
      if (!guests.isGuest(client)) throw noGuest(client)
    },
    checkKey: async (client) => void (await guests.holderAt(client)),
    store: (text, peer) => create(text, peer.client, addressesFor(peer)),
    explain: (error) => explain(error, log).message,
    explainHttp: (peer) =>
      `This port takes text from netcat, not HTTP. The pages are at ${addressesFor(peer).publicUrl}`,
  }
  return listenBeside(address, 'listen for netcat', '--netcat', () => listenForNetcat(netcat))
}
