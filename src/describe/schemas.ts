import { LinkBody, LinkChange, LinkCreated, OwnLinkRecord, OwnLinks } from '../items/link.ts'
import {
  OwnPasteRecord,
  OwnPastes,
  PasteBody,
  PasteChange,
  PasteCreated,
  PublicPaste,
} from '../items/paste.ts'
import {
  Done,
  ErrorBody,
  HasteCreated,
  HasteDocument,
  KeyFacts,
  Ready,
  Stats,
  Versions,
} from '../items/schema.ts'
import type { Schema } from './types.ts'

/** Fields of answers that hold an address begin like one, at every depth. */
const withAddresses = (schema: Schema): Schema => ({
  ...schema,
  ...(schema.items && { items: withAddresses(schema.items) }),
  ...(schema.properties && {
    properties: Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => [
        name,
        name.endsWith('Url') ? { ...field, pattern: '^https?://' } : withAddresses(field),
      ]),
    ),
  }),
})

/** At least one field that is known; others are ignored. */
const changeBody = (schema: Schema): Schema => ({
  ...schema,
  anyOf: Object.keys(schema.properties ?? {}).map((name) => ({ required: [name] })),
})

/** The schemas, by their names in the description. */
export const schemas = {
  PasteBody: PasteBody as Schema,
  LinkBody: LinkBody as Schema,
  PasteChange: changeBody(PasteChange),
  LinkChange: changeBody(LinkChange),
  PasteCreated: withAddresses(PasteCreated),
  LinkCreated: withAddresses(LinkCreated),
  PublicPaste,
  HasteCreated,
  HasteDocument,
  OwnPastes: withAddresses(OwnPastes),
  OwnPasteRecord: withAddresses(OwnPasteRecord),
  OwnLinks: withAddresses(OwnLinks),
  OwnLinkRecord: withAddresses(OwnLinkRecord),
  Versions,
  KeyFacts,
  Stats,
  Done,
  Ready,
  ErrorBody,
} satisfies Readonly<Record<string, Schema>>

export type SchemaName = keyof typeof schemas
