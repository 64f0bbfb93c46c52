import type { ProtocolName } from '../../settings/values.ts'
import { haste } from './haste.ts'
import { pastebinit } from './pastebinit.ts'
import type { Protocol, ProtocolParts } from './protocol.ts'
import { rustypaste } from './rustypaste.ts'

/** Spoken at `/` only: `fields.ts` has what they send. */
const atRoot: Protocol = () => []

const protocols: Readonly<Record<ProtocolName, Protocol>> = {
  haste,
  '0x0': atRoot,
  rustypaste,
  sprunge: atRoot,
  pastebinit,
}

/** The routes of the protocols that this server speaks. */
export const protocolRoutes = (spoken: ReadonlySet<ProtocolName>, parts: ProtocolParts) =>
  [...spoken].flatMap((name) => protocols[name](parts))
