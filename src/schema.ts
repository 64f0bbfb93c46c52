import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

/** A string that can be stored as UTF-8: it holds no lone surrogate. */
const storable = <S extends TSchema>(schema: S) =>
  Type.Refine(
    schema,
    (value) => (value as string).isWellFormed(),
    () => 'must not contain a lone surrogate',
  ) as unknown as S

/** What is sent or answered may carry more fields than these; they are ignored. */
const object = <P extends TProperties>(properties: P) => Type.Object(properties)

/** Body of `POST /paste`. */
export const PasteBody = object({
  text: storable(Type.String({ minLength: 1, description: 'Content of the paste' })),
  title: storable(Type.String({ description: 'Title of the paste' })),
  description: storable(Type.String({ description: 'Description of the paste' })),
  language: storable(Type.String({ description: 'Programming language used for syntax highlighting' })),
})
export type PasteBody = Static<typeof PasteBody>

/** Body of `POST /shortener`. */
export const LinkBody = object({ url: Type.String({ description: 'The URL to shorten' }) })
export type LinkBody = Static<typeof LinkBody>

const stored = {
  id: Type.String(),
  /** Milliseconds since the epoch. */
  createdAt: Type.Integer(),
  /** Name of the API key that made the item. */
  owner: Type.String(),
  /** SHA-256 of the secret part of the deletion key, in hexadecimal. */
  deletionHash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
}

/** `pastes/ab/<id>.json` */
export const StoredPaste = Type.Object({ ...stored, ...PasteBody.properties })
export type StoredPaste = Static<typeof StoredPaste>

/** `links/ab/<id>.json` */
export const StoredLink = Type.Object({ ...stored, url: Type.String({ pattern: '^https?://' }) })
export type StoredLink = Static<typeof StoredLink>

/** `keys.json` */
export const KeyFile = Type.Object({
  keys: Type.Array(
    Type.Object({
      name: Type.String({ pattern: '^[A-Za-z0-9._-]{1,64}$' }),
      createdAt: Type.Integer(),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
  ),
})
export type KeyFile = Static<typeof KeyFile>
export type StoredKey = KeyFile['keys'][number]

/** `shortcrust.json`: which format the data directory has. */
export const FormatStamp = Type.Object({ product: Type.Literal('shortcrust'), format: Type.Integer() })
export type FormatStamp = Static<typeof FormatStamp>

/** What `/p/<id>` answers to `Accept: application/json`. */
export type PublicPaste = Pick<StoredPaste, 'id' | 'title' | 'description' | 'language' | 'text'> & {
  createdAt: string
}

/** A compiled schema: `isValid` for yes or no, `problem` for the first reason in words, without the value. */
export type Check<T> = {
  isValid: (value: unknown) => value is T
  problem: (value: unknown) => string | undefined
}

/** Compiles a schema once; the check is then plain code. */
export const compileCheck = <S extends TSchema>(schema: S): Check<Static<S>> => {
  const compiled = Compile(schema)
  return {
    isValid: (value): value is Static<S> => compiled.Check(value),
    problem: (value) => {
      if (compiled.Check(value)) return undefined
      const [error] = compiled.Errors(value)
      return error ? describe(error) : 'does not fit its schema'
    },
  }
}

type SchemaError = { keyword: string; instancePath: string; params: object; message: string }

const describe = ({ keyword, instancePath, params, message }: SchemaError): string => {
  const path = instancePath.slice(1).replaceAll('/', '.')
  if (keyword === 'required') {
    const { requiredProperties } = params as { requiredProperties: string[] }
    const missing = requiredProperties.map((name) => `"${path === '' ? name : `${path}.${name}`}"`).join(', ')
    return requiredProperties.length > 1 ? `Fields ${missing} are required` : `Field ${missing} is required`
  }
  const subject = path === '' ? 'The value' : `Field "${path}"`
  if (keyword === 'minLength') return `${subject} must not be empty`
  if (keyword !== 'type') return `${subject} ${message}`
  return `${subject} ${message.replace(/^must be (?=([aeiou])?)/, (_, vowel) => (vowel ? 'must be an ' : 'must be a '))}`
}
