import type { Static, TProperties, TSchema, TUnion, TUnsafe } from 'typebox'
import Type from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import Value from 'typebox/value'
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
  /** What a form says of a value that the schema refuses; the error itself by default. */
  wrong?: string
}

/** A field that only the server sets. */
export type ServerField = AnyField & { isContent?: never; wrong?: never }

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
        { field: name, message: `Shorten the ${name} to ${maxBytes / 1024} KiB.` },
      )
  }
}

type Texts = Readonly<Record<string, string | undefined>>
type Sent = Readonly<Record<string, string | number | boolean>>

/** True for a field that holds a whole number. */
export const isNumber = ({ schema }: SentField) => (schema as { type?: unknown }).type === 'integer'

/** True for a field that is on or off. */
export const isSwitch = ({ schema }: SentField) => (schema as { type?: unknown }).type === 'boolean'

const switches: Readonly<Record<string, boolean>> = { 1: true, true: true, 0: false, false: false }

/** Digits as a number, 0 and 1 as off and on. Other text is returned unchanged, and the schema refuses it. */
const typed = (field: SentField, text: string) => {
  if (isSwitch(field)) return switches[text] ?? text
  return isNumber(field) && /^\d{1,15}$/.test(text) ? Number(text) : text
}

/** @param name as a client sent it. @throws {AppError} `invalid` for a field that is not known */
export const checkKnown = (texts: Texts, known: ReadonlySet<string>) => {
  const unknown = Object.keys(texts).find((name) => !known.has(name))
  if (unknown === undefined) return
  const name = unknown.length > 40 ? `${unknown.slice(0, 40)}…` : unknown
  throw invalid(`Unknown field "${name}". The known ones are: ${[...known].join(', ')}`)
}

/** The fields in the query of an upload, or beside its file. Empty texts stay: probably a shell variable was not set. */
export const fromUpload = (table: Table, texts: Texts): Sent =>
  Object.fromEntries(
    sentRows(table).flatMap(([name, field]) => {
      const text = field.upload ? texts[name] : undefined
      return text === undefined ? [] : [[name, typed(field, text)]]
    }),
  )

/** The names of the fields of an upload. */
export const uploadFields = (table: Table) =>
  sentRows(table).flatMap(([name, { upload }]) => (upload ? [name] : []))

/** `maxReads` → `max-reads` */
const dashed = (field: string) => field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The names of the flag of a field; help shows the first. */
export const flagNames = (field: string, { flag }: SentField) => {
  const own = dashed(field)
  return flag && flag.name !== undefined ? ([flag.name, own] as const) : ([own] as const)
}

/** A control of the form and its field. */
export type FieldControl = Control & { field: string; name: string; min?: number; max?: number }

/** One form contains both kinds, so the control of a link gets another name if pastes have a field of that name. */
const nameOf = (field: string, pastes: Table | undefined) =>
  pastes && Object.hasOwn(pastes.fields, field)
    ? `link${field.slice(0, 1).toUpperCase()}${field.slice(1)}`
    : field

/** The controls of a kind, in their order. @param pastes the table of pastes, for the links in the same form */
export const controlsOf = (table: Table, pastes?: Table): readonly FieldControl[] =>
  sentRows(table, 'form').flatMap(([field, { form, schema }]) => {
    if (!form) return []
    const { minimum: min, maximum: max } = schema as { minimum?: number; maximum?: number }
    const bounds = min !== undefined && max !== undefined ? { min, max } : {}
    return [{ ...form, field, name: nameOf(field, pastes), ...bounds }]
  })

/** The fields of a form. A browser sends every control, so an empty optional field counts as not set. */
export const fromForm = (table: Table, controls: readonly FieldControl[], texts: Texts): Sent =>
  Object.fromEntries(
    controls.flatMap(({ field, name }) => {
      const row = table.fields[field] as SentField
      const text = texts[name] ?? texts[field] ?? ''
      return text === '' && row.isOptional ? [] : [[field, typed(row, text)]]
    }),
  )

/** A compiled schema. `problem` is the first error in words, without the value. */
export type Check<T> = {
  isValid: (value: unknown) => value is T
  problem: (value: unknown) => string | undefined
}

/** To read a schema once is faster than to compile it, which takes 1 to 3 ms of a start. */
const usesBeforeCompiling = 3

/** Checks by a schema, which is compiled to plain code when it is used often. */
export const compileCheck = <S extends TSchema>(schema: S) => {
  let uses = 0
  let compiled: Validator | undefined
  const isValid = (value: unknown): value is Static<S> => {
    if (uses++ < usesBeforeCompiling) return Value.Check(schema, value)
    compiled ??= Compile(schema)
    return compiled.Check(value)
  }
  const firstError = (value: unknown) => Value.Errors(schema, value)[0]
  return {
    isValid,
    problem: (value: unknown) => {
      if (isValid(value)) return undefined
      const error = firstError(value)
      return error ? describe(error) : 'does not fit its schema'
    },
    firstError,
  }
}

/** Checks the body of a request. @throws {AppError} `invalid`, with the first error in words */
export const createBodyCheck = <S extends TSchema>(schema: S, { fields }: Table) => {
  const { isValid, firstError } = compileCheck(schema)
  return (value: unknown) => {
    if (isValid(value)) return value
    const error = firstError(value)
    if (!error) throw invalid('does not fit its schema')
    const message = describe(error)
    const [field = '', ...others] = fieldsOf(error)
    if (others.length > 0 || !Object.hasOwn(fields, field)) throw invalid(message)
    // What a schema alone cannot say explains itself.
    const wrong = error.keyword === '~refine' ? undefined : fields[field]?.wrong
    throw invalid(message, { field, message: wrong ?? message })
  }
}

type SchemaError = { keyword: string; instancePath: string; params: object; message: string }

/** The fields that an error is about; one with an empty name for the value as a whole. */
const fieldsOf = ({ keyword, instancePath, params }: SchemaError) => {
  const path = instancePath.slice(1).replaceAll('/', '.')
  if (keyword !== 'required') return [path]
  const { requiredProperties } = params as { requiredProperties: string[] }
  return requiredProperties.map((name) => (path === '' ? name : `${path}.${name}`))
}

const describe = (error: SchemaError): string => {
  const { keyword, params, message } = error
  const [path = '', ...others] = fieldsOf(error)
  if (keyword === 'required') {
    const missing = [path, ...others].map((name) => `"${name}"`).join(', ')
    return others.length > 0 ? `Fields ${missing} are required` : `Field ${missing} is required`
  }
  const subject = path === '' ? 'The value' : `Field "${path}"`
  if (keyword === 'minLength') return `${subject} must not be empty`
  if (keyword === 'enum')
    return `${subject} must be one of ${(params as { allowedValues: string[] }).allowedValues.join(', ')}`
  if (keyword === 'minimum' || keyword === 'maximum')
    return `${subject} ${message.replace('>=', 'at least').replace('<=', 'at most')}`
  if (keyword !== 'type') return `${subject} ${message}`
  return `${subject} ${message.replace(/^must be (?=([aeiou])?)/, (_, vowel) => (vowel ? 'must be an ' : 'must be a '))}`
}
