import Type, { type Static, type TProperties } from 'typebox'
import { aliasShape } from './alias.ts'
import { boundedWords, storable } from './words.ts'

/** What is sent or answered may carry more fields than these; they are ignored. */
export const object = <P extends TProperties>(properties: P) => Type.Object(properties)

/** How often an item may be read or followed before it is erased. */
const uses = (description?: string) =>
  Type.Integer({ minimum: 1, maximum: 1_000_000, ...(description !== undefined && { description }) })

const optional = {
  expiresIn: Type.Optional(
    Type.Union(
      [Type.Integer({ minimum: 1, maximum: 315_360_000 }), Type.String({ pattern: '^[0-9]+[smhdw]?$' })],
      {
        description:
          'Lifetime: whole seconds, or a text such as "10m", "2h", "7d" or "4w"; 1 second to 10 years',
      },
    ),
  ),
  // Its rules beyond the type stand in `services/aliases.ts`.
  alias: Type.Optional(
    Type.String({
      description: 'Name in the addresses in place of the id: 1 to 64 of `a-z 0-9 - _`, in either case',
    }),
  ),
}

const content = {
  text: storable(Type.String({ minLength: 1, description: 'Content of the paste' })),
  title: storable(Type.String({ description: 'Title of the paste' })),
  description: storable(Type.String({ description: 'Description of the paste' })),
  language: storable(Type.String({ description: 'Programming language used for syntax highlighting' })),
}

const maxReads = {
  maxReads: Type.Optional(uses('How often the paste may be read; with the last read it is erased')),
}
const maxVisits = {
  maxVisits: Type.Optional(uses('How often the link may be followed; with the last visit it is erased')),
}

/** Body of `POST /paste`. */
export const PasteBody = object({ ...content, ...boundedWords, ...optional, ...maxReads })
export type PasteBody = Static<typeof PasteBody>

/** Body of `POST /shortener`. */
export const LinkBody = object({
  url: Type.String({ description: 'The URL to shorten' }),
  ...optional,
  ...maxVisits,
})
export type LinkBody = Static<typeof LinkBody>

/** An absolute address in an answer. */
export const address = (description: string) => Type.String({ format: 'uri', description })
/** The optional instant of an answer. */
export const expiring = (description: string) => ({
  expiresAt: Type.Optional(Type.String({ format: 'date-time', description })),
})
const success = {
  success: Type.Literal(true),
  message: Type.String({ description: 'What was done' }),
}

/** Answer of `POST /paste`. */
export const PasteCreated = object({
  ...success,
  pasteUrl: address('Page of the paste, highlighted; to be shared'),
  rawUrl: address('The text alone'),
  deletionUrl: address('POST or DELETE to it deletes the paste; to be kept secret'),
  ...expiring('Only where `expiresIn` was sent: when it will be gone'),
  maxReads: Type.Optional(uses('As it was given')),
})
export type PasteCreated = Static<typeof PasteCreated>

/** Answer of `POST /shortener`. */
export const LinkCreated = object({
  ...success,
  shortendUrl: address('The short link; to be shared'),
  deletionUrl: address('POST or DELETE to it deletes the link; to be kept secret'),
  ...expiring('Only where `expiresIn` was sent: when it will be gone'),
  maxVisits: Type.Optional(uses('As it was given')),
})
export type LinkCreated = Static<typeof LinkCreated>

/** Answer of a deletion, and of `/healthz` and `/readyz`. */
export const Done = object(success)
export type Done = Static<typeof Done>

/** Answer to everything that went wrong. */
export const ErrorBody = object({
  success: Type.Literal(false),
  error: Type.String({ minLength: 1, description: 'What is wrong, and what to do' }),
})
export type ErrorBody = Static<typeof ErrorBody>

/** What `/p/<id>` answers to `Accept: application/json`. */
export const PublicPaste = object({
  id: Type.String({ description: 'The id of the paste, which its address may name' }),
  alias: Type.Optional(Type.String({ description: 'Only where the paste has one: the name in its address' })),
  ...content,
  ...maxReads,
  readsLeft: Type.Optional(
    Type.Integer({ minimum: 0, description: 'How often it can be read after this, where that is limited' }),
  ),
  createdAt: Type.String({ format: 'date-time', description: 'When it was created, in UTC' }),
  ...expiring('Only where the paste expires: when'),
})
export type PublicPaste = Static<typeof PublicPaste>

/** Answer of `POST /documents`, as haste clients know it. */
export const HasteCreated = object({ key: Type.String({ description: 'Id of the paste' }) })
export type HasteCreated = Static<typeof HasteCreated>

/** Answer of `GET /documents/<id>`. */
export const HasteDocument = object({
  ...HasteCreated.properties,
  data: Type.String({ description: 'The text of the paste' }),
})
export type HasteDocument = Static<typeof HasteDocument>

const stored = {
  id: Type.String(),
  /** Milliseconds since the epoch. */
  createdAt: Type.Integer(),
  /** Name of the API key that made the item. */
  owner: Type.String(),
  /** SHA-256 of the secret part of the deletion key, in hexadecimal. */
  deletionHash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** Milliseconds since the epoch; from this instant on the item is gone. */
  expiresAt: Type.Optional(Type.Integer()),
  /** The name that led to it when it was made. */
  alias: Type.Optional(aliasShape),
}

/** `pastes/ab/<id>.json` */
export const StoredPaste = Type.Object({
  ...stored,
  ...content,
  ...maxReads,
  readsLeft: Type.Optional(uses()),
})
export type StoredPaste = Static<typeof StoredPaste>

/** `links/ab/<id>.json` */
export const StoredLink = Type.Object({
  ...stored,
  url: Type.String({ pattern: '^https?://' }),
  maxVisits: LinkBody.properties.maxVisits,
  visitsLeft: Type.Optional(uses()),
})
export type StoredLink = Static<typeof StoredLink>

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
