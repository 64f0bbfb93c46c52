import { unauthorized } from '../../errors.ts'
import { ipAddressOf, isListed, type Networks, networkOf } from '../../ip-address.ts'
import type { Scope } from '../../items/schema.ts'
import { isKeyExpired, type KeyHolder, type KeyNamed } from './keys.ts'
import type { Admit } from './rate-limiter.ts'

export type GuestsParts = {
  /** Where guests come from; `undefined` if there are none. */
  from: Networks | undefined
  /** Name of the key that they stand for. */
  keyName: string | undefined
  named: KeyNamed
  /** Milliseconds since the epoch. */
  now: () => number
  admit: Admit
  /** Called for each creation by a guest. */
  onUse: (keyName: string) => void
}

/** Why the key of guests lets nobody in, and the command that makes it do so. */
export type GuestKeyFault = { state: 'does not exist' | 'has expired'; remedy: string }

export type Guests = {
  /** False if there are no guests at all. */
  isOpen: boolean
  /** True for an address of guests. */
  isGuest: (address: string) => boolean
  /**
   * The guest key, for an address of guests, with a bucket of that address; `undefined` for every other address.
   * @throws {AppError} `unauthorized` if there is no such key, or it has expired
   */
  holderAt: (address: string) => Promise<KeyHolder | undefined>
  /**
   * As `holderAt`, for a creation: takes a token from the bucket of the address.
   * @throws {AppError} `unauthorized`, `forbidden`, `rate-limited`, as for a request with the key itself
   */
  admit: (address: string, scope: Scope) => Promise<KeyHolder | undefined>
  /** What is wrong with their key; `undefined` if nothing is, or there are no guests. */
  keyFault: () => Promise<GuestKeyFault | undefined>
}

/** What is wrong with the key of this name. @param holder `undefined` if there is none */
export const guestKeyFault = (
  name: string,
  holder: KeyHolder | undefined,
  now: number,
): GuestKeyFault | undefined => {
  if (!holder) return { state: 'does not exist', remedy: `shortcrust keys add ${name}` }
  if (!isKeyExpired(holder, now)) return undefined
  return { state: 'has expired', remedy: `shortcrust keys set ${name} --expires none` }
}

const refusedKey = (name: string, { state, remedy }: GuestKeyFault) =>
  unauthorized(
    `No key is needed from here, but the key "${name}", which stands for guests, ${state}. ` +
      `The person who runs this server can change that with: ${remedy}`,
  )

/** People of a network who create without typing a key; each creation counts as one of the guest key. */
export const createGuests = ({ from, keyName, named, now, admit, onUse }: GuestsParts): Guests => {
  const guestAddress = (text: string) => {
    const address = ipAddressOf(text)
    return from && address && isListed(from, address) ? address : undefined
  }

  const holderAt = async (text: string) => {
    const address = guestAddress(text)
    if (!keyName || !address) return undefined
    const holder = await named(keyName)
    const fault = guestKeyFault(keyName, holder, now())
    if (fault) throw refusedKey(keyName, fault)
    return holder && { ...holder, bucket: `guest ${networkOf(address)}`, as: 'guest' as const }
  }

  return {
    isOpen: from !== undefined,
    isGuest: (text) => guestAddress(text) !== undefined,
    holderAt,
    admit: async (address, scope) => {
      const holder = await holderAt(address)
      if (!holder) return undefined
      onUse(holder.name)
      admit(holder, scope)
      return holder
    },
    keyFault: async () => (keyName ? guestKeyFault(keyName, await named(keyName), now()) : undefined),
  }
}
