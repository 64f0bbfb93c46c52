import Type, { type Static } from 'typebox'
import { instant } from './any-item.ts'
import { object, shownProperties, type Table } from './field.ts'
import { Rate, Scope } from './schema.ts'

/** The field `success` of an answer that is none of an error. */
export const done = Type.Literal(true)

const success = { success: done, message: Type.String({ description: 'What was done' }) }

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
})
export type ErrorBody = Static<typeof ErrorBody>

/** Answer of a creation, or of a change by `replace`. */
export const createdAnswer = (table: Table) => object({ ...success, ...shownProperties(table, 'created') })

const after = Type.Union([Type.String(), Type.Null()], {
  description: 'To be sent as `after` for the next page; `null` where there is none',
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
