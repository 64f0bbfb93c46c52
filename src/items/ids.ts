import { customRandom } from 'nanoid'

/** Returns this many random bytes; passed in, so tests know the ids. */
export type RandomBytes = (bytes: number) => Uint8Array

/** Lower-case letters and digits without look-alikes: people read ids aloud and type them, and some file systems ignore case. */
export const idAlphabet = '23456789abcdefghjkmnpqrstuvwxyz'
const keyAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Characters of an id: 31^10 = 2^49 unlisted pastes, 31^7 = 2^34 links. */
export const idLength = { paste: 10, link: 7 } as const
export type ItemKind = keyof typeof idLength

/** 31^26 = 2^128.8 */
export const secretLength = 26

export type Ids = {
  itemId: Readonly<Record<ItemKind, () => string>>
  deletionSecret: () => string
  apiKey: () => string
  /** Identifies a request in the log; it need not be secret. */
  requestId: () => string
}

/** Makes everything that must not be guessable. */
export const createIds = (random: RandomBytes): Ids => {
  const paste = customRandom(idAlphabet, idLength.paste, random)
  const link = customRandom(idAlphabet, idLength.link, random)
  const secret = customRandom(idAlphabet, secretLength, random)
  const key = customRandom(keyAlphabet, 32, random)
  const request = customRandom(idAlphabet, 12, random)
  return {
    itemId: { paste: () => paste(), link: () => link() },
    deletionSecret: () => secret(),
    apiKey: () => `sc_${key()}`,
    requestId: () => request(),
  }
}

/** SHA-256 in hexadecimal. No slower hash is needed: the secrets are 128 random bits, so no dictionary contains them. */
export const sha256 = (text: string) => Bun.SHA256.hash(text, 'hex')

/** Compares two SHA-256 in constant time. */
export const isSameHash = (a: string, b: string) =>
  crypto.timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'))

const shapes = {
  paste: new RegExp(`^[${idAlphabet}]{${idLength.paste}}$`),
  link: new RegExp(`^[${idAlphabet}]{${idLength.link}}$`),
}

/** The id as it is stored; `undefined` if it has the wrong shape. */
export const normaliseId = (kind: ItemKind, raw: string) => {
  const id = raw.toLowerCase()
  return shapes[kind].test(id) ? id : undefined
}

/** A deletion key is the item's id and then its secret, so the item is found without an index. */
export const splitDeletionKey = (kind: ItemKind, deletionKey: string) => ({
  id: normaliseId(kind, deletionKey.slice(0, idLength[kind])),
  secret: deletionKey.slice(idLength[kind]).toLowerCase(),
})

/** A document that may have been changed. A new one has version 1, which is not stored. */
export type Versioned = { id: string; version?: number }

export const versionOf = ({ version = 1 }: { version?: number }) => version

/** An earlier version of an item, which has a file of its own. */
export type EarlierVersion = {
  version: number
  /** When it became the newest, in milliseconds since the epoch. */
  changedAt: number
  /** Size of its text or address in UTF-8. */
  bytes: number
}

/** A document and the earlier versions of it that are kept, oldest first. */
export type Changeable = Versioned & { earlier?: readonly EarlierVersion[] }

/** Names this state of an item, for `If-Match`: its version, and when it expires. */
export const stateOf = (item: { version?: number; expiresAt?: number }) =>
  `${versionOf(item)}.${(item.expiresAt ?? 0).toString(36)}`
