import Type from 'typebox'
import { storable } from './field.ts'

/** A text shown in lists. JSON Schema counts characters, never more than there are bytes; services count the bytes. */
export const words = (description: string, maxBytes: number) => {
  const atMost = `${description}, at most ${maxBytes / 1024} KiB of UTF-8`
  const schema = storable(Type.String({ maxLength: maxBytes, description: atMost }))
  return { schema, stored: storable(Type.String({ description })), maxBytes }
}

/** How often an item may be used before it is erased. */
export const uses = (description?: string) =>
  Type.Integer({ minimum: 1, maximum: 1_000_000, ...(description !== undefined && { description }) })

export const wrongUses = 'Enter a whole number from 1 to 1,000,000.'

/** An absolute address in an answer. */
const address = (description: string) => Type.String({ format: 'uri', description })

/** A time in an answer. */
export const instant = (description: string) => Type.String({ format: 'date-time', description })

/** A time that documents store as milliseconds since the epoch. */
const asInstant = (description: string) => ({
  schema: Type.Integer(),
  shownAs: instant(description),
  write: (time: number) => new Date(time).toISOString(),
})

/** An alias as it is stored. */
export const aliasShape = Type.String({
  pattern: '^[a-z0-9_-]{1,64}$',
  description: 'Only where it has one: the name in its address',
})

/** An earlier version of an item: its number, when it became the newest, and the size of its text or address. */
const Earlier = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  changedAt: Type.Integer(),
  bytes: Type.Integer({ minimum: 0 }),
})

const everywhere = ['public', 'list', 'record'] as const
const expiry = 'Only where it expires: when. A creation says it where `expiresIn` was sent'
const lifetime = 'Lifetime: whole seconds, or a text such as "10m", "2h", "7d" or "4w"; 1 second to 10 years'

/** The fields that the server sets. `deletionHash` is SHA-256 of the secret part of the deletion key, in hexadecimal. */
export const noted = {
  id: { schema: Type.String({ description: 'The id, which its address may name' }), shown: everywhere },
  createdAt: { ...asInstant('When it was created, in UTC'), shown: everywhere },
  owner: {
    schema: Type.String({
      description:
        'Name of the API key that made it, or `user:` and the name of a user of a proxy. A list says it if it was asked for `owner`',
    }),
    // Not in a list of the key itself.
    shown: ['list?', 'record'],
  },
  deletionHash: { schema: Type.String({ pattern: '^[0-9a-f]{64}$' }), shown: [] },
  expiresAt: { ...asInstant(expiry), isOptional: true, shown: ['created', ...everywhere] },
  version: {
    schema: Type.Integer({ minimum: 1, description: 'Counts its changes: 1 for one that was never changed' }),
    isOptional: true,
    unstored: 1,
    shown: everywhere,
  },
  changedAt: { ...asInstant('Only where it was changed: when last'), isOptional: true, shown: everywhere },
  earlier: { schema: Type.Array(Earlier), isOptional: true, shown: [] },
} as const

/** The options of any item. `services/options.ts` has the rules that types cannot express. */
export const options = {
  expiresIn: {
    schema: Type.Union(
      [Type.Integer({ minimum: 1, maximum: 315_360_000 }), Type.String({ pattern: '^[0-9]+[smhdw]?$' })],
      { description: lifetime },
    ),
    isOptional: true,
    isContent: false,
    stored: false,
    shown: [],
    form: { label: 'Expires', as: 'lifetime' },
    upload: {
      doc: 'Lifetime: seconds, or a text such as 10m, 2h, 7d or 4w; the default of the server if it is not given',
      example: '7d',
    },
    flag: {
      name: 'expires',
      short: 'e',
      value: 'TIME',
      doc: 'lifetime: seconds, or 10m, 2h, 7d, 4w; the default of the server when not set',
    },
  },
  alias: {
    schema: Type.String({
      description: 'Name in the addresses instead of the id: 1 to 64 of `a-z 0-9 - _`, in either case',
    }),
    isOptional: true,
    isContent: false,
    stored: aliasShape,
    shown: everywhere,
    form: { label: 'Custom name (optional)', as: 'name', placeholder: 'my-notes' },
    upload: {
      doc: 'Name in the addresses instead of the id: 1 to 64 of a-z 0-9 - _; the id alone if it is not given',
      example: 'wiki',
    },
    flag: { value: 'NAME', doc: 'name in the address, 1 to 64 of a-z 0-9 - _; the id alone when not set' },
  },
  replace: {
    schema: Type.Boolean({
      description:
        'With `alias`: where the name leads to an item of this key, that item is changed; else one is created',
    }),
    isOptional: true,
    isContent: false,
    stored: false,
    shown: [],
    form: false,
    upload: {
      doc: '1 to change what the name leads to already, if this key made it; 0 to refuse a name already taken',
      example: '1',
    },
    flag: { doc: 'change what --alias leads to already, if this key made it' },
  },
  madeAt: {
    schema: instant(
      'For imports: when it was made elsewhere, shown as `createdAt`; one to come counts as now',
    ),
    isOptional: true,
    isContent: false,
    stored: false,
    shown: [],
    form: false,
    upload: false,
    flag: false,
  },
} as const

const own = ['list', 'record'] as const

/** A number shown in lists. */
export const counted = (description: string, minimum = 0) =>
  ({ schema: Type.Integer({ minimum, description }), stored: false, shown: own }) as const

/** An address shown to the creator and to the key of the item. */
export const addressed = (description: string) =>
  ({ schema: address(description), stored: false, shown: ['created', ...own] }) as const

/** The deletion link, which only the answer to the creation contains. */
export const deletionUrl = (noun: string) =>
  ({
    schema: address(`Only of a creation: POST or DELETE to it deletes the ${noun}; keep it secret`),
    stored: false,
    shown: ['created?'],
  }) as const
