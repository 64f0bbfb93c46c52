import type { ProtocolName } from '../../settings/values.ts'
import { gist } from './gist.ts'
import { haste } from './haste.ts'
import { kutt } from './kutt.ts'
import { mclogs } from './mclogs.ts'
import { pastebinit } from './pastebinit.ts'
import type { Protocol, ProtocolParts } from './protocol.ts'
import { rustypaste } from './rustypaste.ts'
import { shlink } from './shlink.ts'
import { yourls, yourlsByGet } from './yourls.ts'

/** Spoken at `/` only: `fields.ts` has what they send. */
const atRoot: Protocol = () => []

const protocols: Readonly<Record<ProtocolName, Protocol>> = {
  haste,
  '0x0': atRoot,
  rustypaste,
  sprunge: atRoot,
  pastebinit,
  yourls,
  'yourls-get': yourlsByGet,
  mclogs,
  gist,
  shlink,
  kutt,
}

/** The routes of the protocols that this server speaks. */
export const protocolRoutes = (spoken: ReadonlySet<ProtocolName>, parts: ProtocolParts) =>
  [...spoken]
    // Both are the same address.
    .filter((name) => name !== 'yourls' || !spoken.has('yourls-get'))
    .flatMap((name) => protocols[name](parts))
