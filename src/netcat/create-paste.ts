import { forbidden } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Guests } from '../services/access.ts'
import type { Pastes } from '../services/pastes.ts'
import type { Addresses } from '../urls.ts'
import { decodeText } from './utf8.ts'

export type NetcatCreationParts = {
  guests: Pick<Guests, 'admit'>
  pastes: Pick<Pastes, 'create'>
  log: Log
}

/** The error for an address that has to use a key. */
export const noGuest = (address: string) =>
  forbidden(`${address} may not create without a key here. Send the text with curl and an API key.`)

/**
 * Stores what a guest sent. @returns the address of its page
 * @throws {AppError} `forbidden`, `unauthorized`, `rate-limited`, `malformed`; storage errors
 */
export const createNetcatPaste =
  ({ guests, pastes, log }: NetcatCreationParts) =>
  async (bytes: Uint8Array, client: string, addresses: Addresses): Promise<string> => {
    const guest = await guests.admit(client, 'paste')
    if (!guest) throw noGuest(client)
    const body = { text: decodeText(bytes), title: '', description: '', language: 'auto' }
    const { item, name } = await pastes.create(body, guest.name)
    log('info', 'paste created', { id: item.id, owner: guest.name, client })
    return addresses.paste(name)
  }
