import { KeyFacts } from '../items/key-facts.ts'
import { OwnLinkRecord, OwnLinks, OwnPasteRecord, OwnPastes } from '../items/own-items.ts'
import {
  Done,
  ErrorBody,
  HasteCreated,
  HasteDocument,
  LinkBody,
  LinkCreated,
  PasteBody,
  PasteCreated,
  PublicPaste,
} from '../items/schema.ts'
import type { Content, Parameter, Schema } from './types.ts'

/** The schemas by the names that the description gives them. */
export const schemas = {
  PasteBody,
  LinkBody,
  PasteCreated,
  LinkCreated,
  PublicPaste,
  HasteCreated,
  HasteDocument,
  OwnPastes,
  OwnPasteRecord,
  OwnLinks,
  OwnLinkRecord,
  KeyFacts,
  Done,
  ErrorBody,
}

/** An id as it stands in the examples. */
export const example = {
  pasteId: '7y84tyt5ec',
  linkId: '8xkwphv',
  pasteDeletionKey: '7y84tyt5ecrq9stwqw6hxcanafyqjjmnbq9b',
  linkDeletionKey: '8xkwphvgtbbdz2dcc3q932wz5jswj3hte',
}

/** What `description` and `example` say a request or an answer in JSON is. */
export const json = (schema: keyof typeof schemas, value: object): Content => ({
  'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example: value },
})

const text: Schema = { type: 'string' }

/** A body of text whose content is not described further. */
export const textual = (...types: readonly string[]): Content =>
  Object.fromEntries(types.map((type) => [type, { schema: text }]))

export const html = textual('text/html')

/** The API key, as a header; an operation without it needs none. */
export const withKey = { security: [{ apiKey: [] }] }

/** As `withKey`, or as the clients of hastebin send it. */
export const withAnyKey = { security: [{ apiKey: [] }, { bearer: [] }, { basic: [] }] }

/** With the API key it does something else than without. */
export const withOptionalKey = { security: [{}, { apiKey: [] }] }

type ParameterParts = Pick<Parameter, 'name' | 'description' | 'example'> & { schema?: Schema }

const parameter = (
  place: Parameter['in'],
  required: boolean,
  { schema = text, ...parts }: ParameterParts,
): Parameter => ({ ...parts, in: place, required, schema })

export const pathParameter = (parts: ParameterParts) => parameter('path', true, parts)
export const queryParameter = (parts: ParameterParts) => parameter('query', true, parts)
export const optionalQuery = (parts: ParameterParts) => parameter('query', false, parts)

export const pasteId = pathParameter({
  name: 'id',
  description: 'Id of the paste, or its alias, in lower or upper case',
  example: example.pasteId,
})
export const linkId = pathParameter({
  name: 'id',
  description: 'Id of the short link, or its alias, in lower or upper case',
  example: example.linkId,
})

export const ifNoneMatch = parameter('header', false, {
  name: 'If-None-Match',
  description: 'Entity tags that the client has already',
  example: '"2k6v1ko3f1x0p"',
})

/** Of a page of a paste. */
export const languageAsked = optionalQuery({
  name: 'lang',
  description:
    'Another language to highlight the page in. One that is not known is 422; a browser gets the paste with a notice',
  example: 'python',
})

/** A paste as everybody may read it. */
export const examplePaste = {
  id: example.pasteId,
  title: 'Hello',
  description: 'A first paste',
  language: 'javascript',
  text: 'console.log(1)\n',
  createdAt: '2026-01-31T12:00:00.000Z',
}
