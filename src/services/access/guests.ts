import type { BlockList } from 'node:net'
import { unauthorized } from '../../errors.ts'
import { ipAddressOf, isListed, networkOf } from '../../ip-address.ts'
import type { Scope } from '../../items/schema.ts'
import type { KeyHolder, KeyNamed } from './keys.ts'
import type { Admit } from './rate-limiter.ts'

export type GuestsParts = {
  /** Where guests come from; `undefined` if there are none. */
  from: BlockList | undefined
  /** Name of the key that they stand for. */
  keyName: string | undefined
  named: KeyNamed
  admit: Admit
  /** Called for each creation by a guest. */
  onUse: (keyName: string) => void
}

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
  /** True if guests are let in, but their key is missing or has expired. */
  isKeyMissing: () => Promise<boolean>
}

const noGuestKey = (name: string) =>
  unauthorized(
    `No key is needed from here, but the key "${name}", which stands for guests, does not exist. ` +
      `The person who runs this server makes it with: shortcrust keys add ${name}`,
  )

/** People of a network who create without typing a key; each creation counts as one of the guest key. */
export const createGuests = ({ from, keyName, named, admit, onUse }: GuestsParts): Guests => {
  const guestAddress = (text: string) => {
    const address = ipAddressOf(text)
    return from && address && isListed(from, address) ? address : undefined
  }

  const holderAt = async (text: string) => {
    const address = guestAddress(text)
    if (!keyName || !address) return undefined
    const holder = await named(keyName)
    if (!holder) throw noGuestKey(keyName)
    return { ...holder, bucket: `guest ${networkOf(address)}`, as: 'guest' as const }
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
    isKeyMissing: async () => {
      if (!keyName) return false
      return named(keyName).then(
        (holder) => holder === undefined,
        () => true,
      )
    },
  }
}
