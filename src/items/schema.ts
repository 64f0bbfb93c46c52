import Type, { type Static } from 'typebox'
import { aliasShape } from './any-item.ts'

/** How many creations a key may make in how many seconds; bounded as `parseRate` in `config-values.ts` is. */
export const Rate = Type.Object({
  requests: Type.Integer({ minimum: 1, maximum: 999_999 }),
  seconds: Type.Integer({ minimum: 1, maximum: 99_999 * 3600 }),
})
export type Rate = Static<typeof Rate>

/** What a key can be kept to: pastes, or short links. */
export const Scope = Type.Enum(['paste', 'shorten'])
export type Scope = Static<typeof Scope>
/** `keys.json` */
export const KeyFile = Type.Object({
  keys: Type.Array(
    Type.Object({
      name: Type.String({ pattern: '^[A-Za-z0-9._-]{1,64}$' }),
      createdAt: Type.Integer(),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      /** Milliseconds since the epoch, no further than a date can say. */
      expiresAt: Type.Optional(Type.Integer({ minimum: 0, maximum: 8.64e15 })),
      /** In place of the server's rate. */
      rate: Type.Optional(Rate),
      only: Type.Optional(Scope),
    }),
  ),
})
export type KeyFile = Static<typeof KeyFile>
export type StoredKey = KeyFile['keys'][number]

/** `counts/<collection>/ab.json` of format 2: how often each item was read or followed, by its id. */
export const StoredCounts = Type.Record(Type.String(), Type.Integer({ minimum: 1 }))
export type StoredCounts = Static<typeof StoredCounts>

/** `shortcrust.json`: which format the data directory has. */
export const FormatStamp = Type.Object({ product: Type.Literal('shortcrust'), format: Type.Integer() })
export type FormatStamp = Static<typeof FormatStamp>

/** `aliases/pastes/ab/<alias>.json`, `aliases/links/ab/<alias>.json` */
export const StoredAlias = Type.Object({
  alias: aliasShape,
  /** Of the item it led to last. */
  id: Type.String(),
  /** Name of the API key that may take it again. */
  owner: Type.String(),
})
export type StoredAlias = Static<typeof StoredAlias>
