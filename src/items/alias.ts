import Type, { type Static } from 'typebox'

/** An alias as it is stored. */
export const aliasShape = Type.String({ pattern: '^[a-z0-9_-]{1,64}$' })

/** `aliases/pastes/ab/<alias>.json`, `aliases/links/ab/<alias>.json` */
export const StoredAlias = Type.Object({
  alias: aliasShape,
  /** Of the item it led to last. */
  id: Type.String(),
  /** Name of the API key that may take it again. */
  owner: Type.String(),
})
export type StoredAlias = Static<typeof StoredAlias>
