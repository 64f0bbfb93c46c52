import type { ProtocolName } from '../../settings/values.ts'
import { haste } from './haste.ts'
import type { Protocol, ProtocolParts } from './protocol.ts'

const protocols: Readonly<Record<ProtocolName, Protocol>> = { haste }

/** The routes of the protocols that this server speaks. */
export const protocolRoutes = (spoken: ReadonlySet<ProtocolName>, parts: ProtocolParts) =>
  [...spoken].flatMap((name) => protocols[name](parts))
