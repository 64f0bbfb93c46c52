import Type, { type Static } from 'typebox'
import { aliasShape } from './any-item.ts'

/** How many items a key may create in how many seconds; same limits as `parseRate` in `settings/values.ts`. */
export const Rate = Type.Object({
  requests: Type.Integer({ minimum: 1, maximum: 999_999 }),
  seconds: Type.Integer({ minimum: 1, maximum: 99_999 * 3600 }),
})
export type Rate = Static<typeof Rate>

/** The kinds of items that a key may be limited to. */
export const Scope = Type.Enum(['paste', 'shorten'])
export type Scope = Static<typeof Scope>
/** `keys.json` */
export const KeyFile = Type.Object({
  keys: Type.Array(
    Type.Object({
      name: Type.String({ pattern: '^[A-Za-z0-9._-]{1,64}$' }),
      createdAt: Type.Integer(),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      /** Milliseconds since the epoch, up to the latest valid `Date`. */
      expiresAt: Type.Optional(Type.Integer({ minimum: 0, maximum: 8.64e15 })),
      /** Replaces the rate of the server. */
      rate: Type.Optional(Rate),
      only: Type.Optional(Scope),
      /** Lists and deletes the items of every key, and reads the figures. */
      admin: Type.Optional(Type.Boolean()),
    }),
  ),
})
export type KeyFile = Static<typeof KeyFile>
export type StoredKey = KeyFile['keys'][number]

/** `shortcrust.json`: the format of the data folder. */
export const FormatStamp = Type.Object({ product: Type.Literal('shortcrust'), format: Type.Integer() })
export type FormatStamp = Static<typeof FormatStamp>

/** `aliases/pastes/ab/<alias>.json`, `aliases/links/ab/<alias>.json` */
export const StoredAlias = Type.Object({
  alias: aliasShape,
  /** The last item with this alias. */
  id: Type.String(),
  /** Name of the API key that may use it again. */
  owner: Type.String(),
})
export type StoredAlias = Static<typeof StoredAlias>
