import type { Static } from 'typebox'
import Type from 'typebox'
import { aliasShape, instant } from './any-item.ts'
import { object, shownProperties, type Table } from './field.ts'

/** How many items a key may create in how many seconds; same limits as `parseRate` in `settings/values.ts`. */
export const Rate = Type.Object({
  requests: Type.Integer({ minimum: 1, maximum: 999_999 }),
  seconds: Type.Integer({ minimum: 1, maximum: 99_999 * 3600 }),
})
export type Rate = Static<typeof Rate>

/** The most requests of a rate in a database: a row holds all of them, and 10,000 are counted only 590 times a second. */
export const mostTokens = 1000

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

/** The field `success` of an answer that is none of an error. */
export const done = Type.Literal(true)

const success = { success: done, message: Type.String({ description: 'Status message' }) }

/** Answer of a deletion, and of `/healthz`. */
export const Done = object(success)
export type Done = Static<typeof Done>

/** Answer of `/readyz`. */
export const Ready = object({
  ...success,
  proxy: Type.Optional(
    Type.Union([Type.Literal('silent'), Type.Literal('untrusted')], {
      description:
        'Only behind a proxy that hides who asks: a trusted one that sends no `X-Forwarded-For`, or one that sends it without being trusted',
    }),
  ),
})
export type Ready = Static<typeof Ready>

/** Answer for every error. */
export const ErrorBody = object({
  success: Type.Literal(false),
  error: Type.String({ minLength: 1, description: 'What is wrong, and what to do' }),
  problem: Type.Optional(
    Type.Object(
      {
        field: Type.Optional(Type.String({ description: 'The field to change, if a single one is wrong' })),
        message: Type.String(),
        value: Type.Optional(Type.String({ description: 'What the field could have instead' })),
      },
      { description: 'What a form shows; only for `Accept: application/json; for=form`' },
    ),
  ),
})
export type ErrorBody = Static<typeof ErrorBody>

/** Answer of a creation, or of a change by `replace`. */
export const createdAnswer = (table: Table) => object({ ...success, ...shownProperties(table, 'created') })

const after = Type.Union([Type.String(), Type.Null()], {
  description: 'Send it as `after` for the next page; `null` where there is none',
})

const total = Type.Optional(
  Type.Integer({
    minimum: 0,
    description: 'How many there are in all pages; not where `q`, `language` or `since` chooses',
  }),
)

const isComplete = Type.Optional(
  Type.Boolean({
    description: 'Only of a search: `false` while the server still reads texts, so there may be more to find',
  }),
)

/** Answer of a list of items. */
export const listAnswer = (table: Table, plural: 'pastes' | 'links') =>
  object({
    success: done,
    [plural]: Type.Array(object(shownProperties(table, 'list'))),
    after,
    total,
    isComplete,
  })

/** Answer of one whole item. */
export const recordAnswer = (table: Table, singular: 'paste' | 'link') =>
  object({ success: done, [singular]: object(shownProperties(table, 'record')) })

/** Answer of `GET /pastes/<id>/versions`, newest first. */
export const Versions = object({
  success: done,
  versions: Type.Array(
    object({
      version: Type.Integer({ minimum: 1, description: 'Its number, from 1' }),
      changedAt: instant('When it became the newest'),
      bytes: Type.Integer({ minimum: 0, description: 'Size of its text or address in UTF-8' }),
    }),
  ),
})

/** Answer of `POST /documents`, in the format of hastebin. */
export const HasteCreated = object({ key: Type.String({ description: 'Id of the paste' }) })
export type HasteCreated = Static<typeof HasteCreated>

/** Answer of `GET /documents/<id>`. */
export const HasteDocument = object({
  ...HasteCreated.properties,
  data: Type.String({ description: 'The text of the paste' }),
})
export type HasteDocument = Static<typeof HasteDocument>

/** Answer of `GET /key`. */
export const KeyFacts = object({
  success: done,
  name: Type.String({ description: 'Name of the API key' }),
  only: Type.Optional(Type.Enum(Scope.enum, { description: 'All it may create, where that is limited' })),
  rate: Type.Optional(
    Type.Object(Rate.properties, {
      description: 'Its own rate, where it has one: so many requests in so many seconds',
    }),
  ),
  expiresAt: Type.Optional(instant('Only where the key expires: when')),
  admin: Type.Optional(
    Type.Boolean({ description: 'Only of an admin key: it lists and deletes what every key made' }),
  ),
})
export type KeyFacts = Static<typeof KeyFacts>

const kind = Type.Enum(['paste', 'link'], { description: 'What it is' })
const count = (description: string) => Type.Integer({ minimum: 0, description })
const owner = Type.String({ description: 'Name of the API key that made it' })
const held = {
  kind,
  items: count('How many there are'),
  bytes: count('Size of their texts or addresses in UTF-8, of the newest versions alone'),
}
const item = object({
  kind,
  id: Type.String({ description: 'The id of the item' }),
  owner,
  bytes: count('Size of its text or address in UTF-8'),
  createdAt: instant('When it was created'),
  expiresAt: Type.Optional(instant('Only where it expires: when')),
})

/** What one item is for the figures. */
export type StatsItem = Static<typeof item>

/** How many keys, days and items the figures list. */
export const statsLimits = { keys: 200, days: 30, items: 10 } as const

/** The figures of everything that is stored. */
export const Figures = object({
  at: instant('When this was counted'),
  totals: Type.Array(object(held), { description: 'Everything, by kind' }),
  keys: Type.Array(object({ owner, ...held }), {
    description: `The ${statsLimits.keys} keys and kinds with the most bytes`,
  }),
  days: Type.Array(
    object({
      day: Type.String({ pattern: String.raw`^\d{4}-\d\d-\d\d$`, description: 'The day in UTC' }),
      pastes: count('Pastes created that day that are still there'),
      links: count('Short links created that day that are still there'),
    }),
    { description: `The last ${statsLimits.days} days, today last` },
  ),
  largest: Type.Array(item, { description: `The ${statsLimits.items} largest items` }),
  expiring: Type.Array(item, { description: `The ${statsLimits.items} items that expire next` }),
  versions: object({
    count: count('How many earlier versions are kept'),
    bytes: count('Size of their texts or addresses in UTF-8'),
  }),
  disk: Type.Optional(
    object({
      freeBytes: count('What this user can still write'),
      totalBytes: count('Size of the disk'),
    }),
  ),
  index: Type.Enum(['whole', 'building', 'memory', 'none'], {
    description:
      '`building`: the figures are those of the items found so far. `memory`: no file can be written. `none`: every document was read',
  }),
})
export type Figures = Static<typeof Figures>

/** Answer of `GET /stats`. */
export const Stats = object({ success: done, ...Figures.properties })
