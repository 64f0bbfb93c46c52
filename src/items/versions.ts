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
