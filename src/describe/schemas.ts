import { Done, ErrorBody, HasteCreated, HasteDocument, KeyFacts, Ready, Versions } from '../items/answers.ts'
import { LinkBody, LinkChange, LinkCreated, OwnLinkRecord, OwnLinks } from '../items/link.ts'
import { Stats } from '../items/owner/stats.ts'
import {
  OwnPasteRecord,
  OwnPastes,
  PasteBody,
  PasteChange,
  PasteCreated,
  PublicPaste,
} from '../items/paste.ts'
import { answered, requested } from './patterns.ts'
import type { Schema } from './types.ts'

type Fields = Readonly<Record<string, Schema>>

/** Adds stricter schemas to the fields with these names, at every depth. */
const exact = (schema: Schema, fields: Fields): Schema => ({
  ...schema,
  ...(schema.items && { items: exact(schema.items, fields) }),
  ...(schema.properties && {
    properties: Object.fromEntries(
      Object.entries(schema.properties).map(([name, one]) => [
        name,
        { ...exact(one, fields), ...fields[name] },
      ]),
    ),
  }),
})

const ref = (name: keyof typeof requested): Schema => ({ $ref: `#/components/schemas/${name}` })

/** A language that something is in, unlike one that is to be found. */
export const knownLanguage = ref('Language')

/** Request fields with their own schema. */
export const requestFields = {
  language: ref('LanguageOrAuto'),
  alias: ref('Alias'),
  expiresIn: ref('Lifetime'),
  url: ref('Target'),
}

/** A JSON body, where the lifetime may be a number as well. @param more what else it may be */
const body = (schema: Schema, ...more: readonly Schema[]) => {
  const { expiresIn, ...fields } = requestFields
  const [number = {}] = schema.properties?.expiresIn?.anyOf ?? []
  return exact(schema, { ...fields, expiresIn: { anyOf: [number, expiresIn, ...more] } })
}

/** At least one field that is known; others are ignored. */
const changeBody = (schema: Schema): Schema => ({
  ...body(schema, { type: 'null' }),
  anyOf: Object.keys(schema.properties ?? {}).map((name) => ({ required: [name] })),
})

/** The schemas, by their names in the description. */
export const schemas = {
  PasteBody: body(PasteBody),
  LinkBody: body(LinkBody),
  PasteChange: changeBody(PasteChange),
  LinkChange: changeBody(LinkChange),
  ...requested,
  PasteCreated: exact(PasteCreated, answered('paste')),
  LinkCreated: exact(LinkCreated, answered('link')),
  PublicPaste: exact(PublicPaste, answered('paste')),
  HasteCreated: exact(HasteCreated, answered('paste')),
  HasteDocument: exact(HasteDocument, answered('paste')),
  OwnPastes: exact(OwnPastes, answered('paste')),
  OwnPasteRecord: exact(OwnPasteRecord, answered('paste')),
  OwnLinks: exact(OwnLinks, answered('link')),
  OwnLinkRecord: exact(OwnLinkRecord, answered('link')),
  Versions,
  KeyFacts,
  Stats,
  Done,
  Ready,
  ErrorBody,
} satisfies Readonly<Record<string, Schema>>

export type SchemaName = keyof typeof schemas
