import Type, { type Static, type TProperties, type TSchema, type TUnion, type TUnsafe } from 'typebox'
import { invalid } from '../errors.ts'

/** Which answer shows an item: to its creator, to every reader, in the list of a key, or as the whole record for that key. */
export type View = 'created' | 'public' | 'list' | 'record'

/** One control of the form on the start page. */
export type Control = {
  label: string
  /** The kind of control that the views draw. */
  as: 'area' | 'line' | 'name' | 'address' | 'uses' | 'language' | 'lifetime'
  placeholder?: string
  /** Folded under "More options". */
  isOption?: true
}

/** A flag that sets a field; a switch has no `value`. */
type FieldFlag = {
  /** Its name, where that is not the one of the field, which works as well. */
  name?: string
  short?: string
  value?: string
  doc: string
  /** A switch that stands for this flag with a value. */
  switch?: { name: string; value: string; doc: string }
}

type AnyField = {
  schema: TSchema
  isOptional?: true
  /** `false` if it is not stored; a schema if documents differ from bodies. */
  stored?: false | TSchema
  /** The answers that contain it; `record?` means that it may be missing there. */
  shown: readonly (View | `${View}?`)[]
  /** Its schema in answers, if it differs from the stored one. */
  shownAs?: TSchema
  write?: (value: never) => unknown
  /** What answers say where nothing is stored. */
  unstored?: unknown
}

/** A field that clients send. Form, upload and flag are each described or `false`, so none can be forgotten. */
export type SentField = AnyField & {
  /** True for what a person wrote: "Edit as new" copies it, and an import compares it. False for an option of one item. */
  isContent: boolean
  form: Control | false
  /** In the query of an upload, or beside its file. */
  upload: { doc: string; example: string | number } | false
  /** On the command line. */
  flag: FieldFlag | false
  /** Longest text in bytes of UTF-8. */
  maxBytes?: number
}

/** A field that only the server sets. */
export type ServerField = AnyField & { isContent?: never }

export type Field = SentField | ServerField
export type Fields = Readonly<Record<string, Field>>

/** The outputs with their own order of fields. */
type Ordered = Exclude<View, 'record'> | 'stored' | 'form' | 'flag'

/** The fields of one kind of item. */
export type Table<F extends Fields = Fields> = {
  fields: F
  /** The fields that come first, if the order differs from `fields`; the others follow. A record has the order of a list. */
  order: Readonly<Partial<Record<Ordered, readonly string[]>>>
}

/** Keeps the literal types, from which the types below are derived. */
export const defineTable = <const F extends Fields>(
  fields: F,
  order: Readonly<Partial<Record<Ordered, readonly (keyof NoInfer<F> & string)[]>>>,
): Table<F> => ({ fields, order })

type ValueOf<X extends Field> = Static<X['schema']>
type ShownOf<X extends Field> = X extends { shownAs: infer S extends TSchema } ? Static<S> : ValueOf<X>

/** Names of the fields that have the type `Part`. */
type NamesOf<F extends Fields, Part> = keyof { [K in keyof F as F[K] extends Part ? K : never]: K } & keyof F
type StoredNames<F extends Fields> = Exclude<keyof F, NamesOf<F, { stored: false }>>
type SentNames<F extends Fields> = NamesOf<F, SentField>
type RequiredNames<F extends Fields> = Exclude<keyof F, NamesOf<F, { isOptional: true }>>
type MissableNames<F extends Fields, V extends View> = keyof {
  [K in keyof F as `${V}?` extends F[K]['shown'][number] ? K : never]: K
} &
  keyof F
type ShownNames<F extends Fields, V extends View> =
  | MissableNames<F, V>
  | (keyof { [K in keyof F as V extends F[K]['shown'][number] ? K : never]: K } & keyof F)

type Flat<T> = { [K in keyof T]: T[K] }
type Values<F extends Fields, N extends keyof F, R extends keyof F> = Flat<
  { -readonly [K in N & R]: ValueOf<F[K]> } & { -readonly [K in Exclude<N, R>]?: ValueOf<F[K]> }
>

export type Body<F extends Fields> = Values<F, SentNames<F>, RequiredNames<F>>
export type Stored<F extends Fields> = Values<F, StoredNames<F>, RequiredNames<F>>
type Kept<F extends Fields> = Values<F, SentNames<F> & StoredNames<F>, RequiredNames<F>>
/** The values that a view takes, before they are converted for the answer. */
type Showable<F extends Fields, V extends View> = Values<
  F,
  ShownNames<F, V>,
  Exclude<RequiredNames<F>, MissableNames<F, V>>
>
export type Shown<F extends Fields, V extends View> = {
  [K in keyof Showable<F, V>]: K extends keyof F ? ShownOf<F[K]> : never
}

/** A string that UTF-8 can store: without lone surrogates. */
export const storable = <S extends TSchema>(schema: S) =>
  Type.Refine(
    schema,
    (value) => (value as string).isWellFormed(),
    () => 'must not contain a lone surrogate',
  ) as unknown as S

/** An object that may have more fields than these; they are ignored. */
export const object = <P extends TProperties>(properties: P) => Type.Object(properties)

const isSent = (field: Field): field is SentField => field.isContent !== undefined

/** The fields in the order of an answer, the document, the form or the flags; by default in the order of the table. */
const rowsOf = ({ fields, order }: Table, ordered?: Ordered): readonly (readonly [string, Field])[] => {
  const first = (ordered && order[ordered]) ?? []
  const names = new Set([...first, ...Object.keys(fields)])
  return [...names].map((name) => [name, fields[name] as Field])
}

/** The fields that clients send. */
export const sentRows = (table: Table, ordered?: Ordered) =>
  rowsOf(table, ordered).flatMap(([name, field]) => (isSent(field) ? [[name, field] as const] : []))

const schemaOf = ({ schema, stored }: Field) => stored || schema

const present = (schema: TSchema, isOptional = false) => (isOptional ? Type.Optional(schema) : schema)

/** True if this view shows the field, always or at times. */
export const isShownIn = ({ shown }: Field, view: View) => shown.includes(view) || shown.includes(`${view}?`)

const shownRows = (table: Table, view: View) =>
  rowsOf(table, view === 'record' ? 'list' : view).filter(([, field]) => isShownIn(field, view))

/** The schema of a `POST` body. */
export const bodySchema = <F extends Fields>(table: Table<F>) => {
  const rows = sentRows(table).map(([name, { schema, isOptional }]) => [name, present(schema, isOptional)])
  return object(Object.fromEntries(rows)) as unknown as TUnsafe<Body<F>> & { properties: TProperties }
}

/** The schema of a `PATCH` body: what a person wrote, and the lifetime. A lifetime of `null` means forever. */
export const changeSchema = <F extends Fields>(table: Table<F>) => {
  const nullable = (schema: TSchema) => Type.Union([...((schema as TUnion).anyOf ?? [schema]), Type.Null()])
  const rows = sentRows(table).flatMap(([name, { schema, isContent }]) => {
    if (name === 'expiresIn') return [[name, Type.Optional(nullable(schema))]]
    return isContent ? [[name, Type.Optional(schema)]] : []
  })
  return object(Object.fromEntries(rows)) as unknown as TUnsafe<Partial<Body<F>>> & {
    properties: TProperties
  }
}

/** The schema of a document on disk. */
export const storedSchema = <F extends Fields>(table: Table<F>) => {
  const rows = rowsOf(table, 'stored').filter(([, { stored }]) => stored !== false)
  const properties = rows.map(([name, field]) => [name, present(schemaOf(field), field.isOptional)])
  return object(Object.fromEntries(properties)) as unknown as TUnsafe<Stored<F>>
}

/** The properties of an answer. */
export const shownProperties = (table: Table, view: View): TProperties =>
  Object.fromEntries(
    shownRows(table, view).map(([name, field]) => {
      const isCut = view === 'list' && isSent(field) && field.maxBytes !== undefined
      const schema = field.shownAs ?? (isCut ? field.schema : schemaOf(field))
      const isMissable = field.isOptional && field.unstored === undefined
      return [name, present(schema, isMissable || !field.shown.includes(view))]
    }),
  )

/** Writes the fields of an answer in their order; no other field gets into it. */
export const createView = <F extends Fields, V extends View>(table: Table<F>, view: V) => {
  const rows = shownRows(table, view)
  return (values: Showable<F, V>) => {
    const shown: Record<string, unknown> = {}
    for (const [name, { write, unstored }] of rows) {
      const value = (values as Record<string, unknown>)[name] ?? unstored
      if (value !== undefined) shown[name] = write ? write(value as never) : value
    }
    return shown as Shown<F, V>
  }
}

/** The new item for its answer. Clients that sent no `expiresIn` see no `expiresAt`, a field that older ones do not know. */
export const asAsked = <T extends { expiresAt?: number }>(body: object, { expiresAt, ...item }: T) => ({
  ...item,
  ...('expiresIn' in body && expiresAt !== undefined && { expiresAt }),
})

/** True if the server is to find the language: `"language": "auto"`. */
export const isDetected = (language: unknown) =>
  typeof language === 'string' && language.trim().toLowerCase() === 'auto'

/** The fields of a change that its schema knows. @throws {AppError} `invalid` if there is none */
export const knownOf = ({ properties }: { properties: TProperties }, body: object) => {
  const known = Object.entries(body).filter(([name]) => Object.hasOwn(properties, name))
  if (known.length > 0) return Object.fromEntries(known)
  throw invalid(`Nothing to change: send at least one of the fields ${Object.keys(properties).join(', ')}`)
}

/** The fields of a body that are stored as they were sent. */
export const keptOf = <F extends Fields>(table: Table<F>, body: Body<F>) =>
  Object.fromEntries(
    sentRows(table)
      .filter(([, { stored }]) => stored !== false)
      .map(([name]) => [name, (body as Record<string, unknown>)[name]])
      .filter(([, value]) => value !== undefined),
  ) as Kept<F>

/** The fields with a limit on the length of their text. */
const boundedOf = (table: Table) =>
  sentRows(table).flatMap(([name, { maxBytes }]) => (maxBytes === undefined ? [] : [{ name, maxBytes }]))

/** @throws {AppError} `invalid` for a text above its limit */
export const checkLengths = (table: Table, body: object) => {
  for (const { name, maxBytes } of boundedOf(table)) {
    const value = (body as Record<string, unknown>)[name]
    if (typeof value === 'string' && Buffer.byteLength(value) > maxBytes)
      throw invalid(
        `Field "${name}" is longer than ${maxBytes / 1024} KiB (${maxBytes} bytes of UTF-8); shorten it`,
      )
  }
}
