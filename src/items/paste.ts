import Type from 'typebox'
import { asks } from '../format.ts'
import { addressed, counted, deletionUrl, noted, options, uses, words, wrongUses } from './any-item.ts'
import {
  type Body,
  bodySchema,
  changeSchema,
  defineTable,
  object,
  type Stored,
  shownProperties,
  storable,
  storedSchema,
} from './field.ts'
import { createdAnswer, listAnswer, recordAnswer } from './schema.ts'

/** Upper limit of the setting for the largest paste. */
export const largestPasteBytes = 64 * 1024 ** 2

/** The fields of a paste. A new field is one more row: see "Adding a field" in ARCHITECTURE.md. */
export const pasteTable = defineTable(
  {
    ...noted,
    // `services/pastes.ts` checks its size first.
    text: {
      schema: storable(Type.String({ minLength: 1, description: 'Content of the paste' })),
      wrong: asks.text,
      isContent: true,
      // Missing for a burn-after-reading paste, whose reads must be counted.
      shown: ['public', 'record?'],
      form: { label: 'Text', as: 'area' },
      upload: false,
      flag: false,
    },
    title: {
      ...words('Title of the paste', 1024),
      isContent: true,
      shown: ['public', 'list', 'record'],
      form: { label: 'Title', as: 'line', placeholder: 'untitled' },
      upload: {
        doc: 'Title of the paste, at most 1 KiB of UTF-8; the name of the file if it is not given',
        example: 'hello.js',
      },
      flag: { short: 't', value: 'TEXT', doc: 'title, at most 1 KiB; the name of the file when not set' },
    },
    name: {
      schema: Type.String({
        description:
          'What people call it: the title, or the first line that is not blank, at most 80 characters of it; never of a text that burns after reading',
      }),
      stored: false,
      shown: ['list', 'record'],
    },
    description: {
      ...words('Description of the paste', 8192),
      isContent: true,
      shown: ['public', 'list', 'record'],
      form: { label: 'Description', as: 'line', isOption: true },
      upload: { doc: 'Description of the paste, at most 8 KiB of UTF-8', example: 'A first paste' },
      flag: { value: 'TEXT', doc: 'description, at most 8 KiB' },
    },
    // Looked up in `services/pastes.ts`.
    language: {
      schema: storable(Type.String({ description: 'Programming language used for syntax highlighting' })),
      isContent: true,
      // The answer to a creation names what was detected.
      shown: ['created?', 'public', 'list', 'record'],
      form: { label: 'Language', as: 'language', placeholder: 'Detect automatically' },
      upload: {
        doc: 'Language to highlight in; from the name of the file, or else detected, if it is not given',
        example: 'javascript',
      },
      flag: {
        short: 'l',
        value: 'NAME',
        doc: 'language; detected from the name of the file and the text when not set',
      },
    },
    ...options,
    alias: { ...options.alias, form: { ...options.alias.form, isOption: true } },
    maxReads: {
      schema: uses('How often the paste may be read; with the last read it is erased'),
      wrong: wrongUses,
      isOptional: true,
      isContent: false,
      shown: ['created', 'public', 'list', 'record'],
      form: { label: 'Delete after reads', as: 'uses', placeholder: 'no limit', isOption: true },
      upload: {
        doc: 'How often the paste may be read, from 1 to 1000000; without a limit if it is not given',
        example: 3,
      },
      flag: {
        value: 'NUMBER',
        doc: 'delete the paste after so many reads, each by a button or a POST',
        switch: { name: 'burn', value: '1', doc: 'burn after reading: delete the paste after one read' },
      },
    },
    readsLeft: {
      schema: uses(),
      isOptional: true,
      shown: ['public', 'list', 'record'],
      // The answer to the last read says 0, which is never stored.
      shownAs: Type.Integer({
        minimum: 0,
        description: 'How often it can be read after this, where that is limited',
      }),
    },
    bytes: counted('Size of the text in UTF-8', 1),
    pasteUrl: addressed('Page of the paste, highlighted, to share'),
    rawUrl: addressed('The text alone'),
    deletionUrl: deletionUrl('paste'),
    reads: counted('How often it was read'),
  },
  {
    stored: ['id', 'createdAt', 'owner', 'deletionHash', 'expiresAt', 'alias'],
    created: ['pasteUrl', 'rawUrl', 'deletionUrl'],
    public: ['id', 'alias', 'title', 'description', 'language', 'text'],
    list: [
      ...(['id', 'createdAt', 'alias', 'expiresAt', 'maxReads', 'readsLeft', 'title', 'name'] as const),
      ...(['description', 'language', 'bytes', 'pasteUrl', 'rawUrl', 'owner', 'text', 'reads'] as const),
    ],
    form: ['text', 'title', 'language', 'expiresIn', 'alias'],
    flag: ['title', 'description', 'language', 'expiresIn', 'maxReads'],
  },
)
type Paste = (typeof pasteTable)['fields']

/** Body of `POST /paste`. */
export const PasteBody = bodySchema(pasteTable)
export type PasteBody = Body<Paste>

/** Body of `PATCH /pastes/<id>`. */
export const PasteChange = changeSchema(pasteTable)

/** `pastes/ab/<id>.json` */
export const StoredPaste = storedSchema(pasteTable)
export type StoredPaste = Stored<Paste>

/** Answer of `POST /paste`. */
export const PasteCreated = createdAnswer(pasteTable)

/** The answer of `/p/<id>` to `Accept: application/json`. */
export const PublicPaste = object(shownProperties(pasteTable, 'public'))

/** Answers of `GET /pastes` and `GET /pastes/<id>`. */
export const OwnPastes = listAnswer(pasteTable, 'pastes')
export const OwnPasteRecord = recordAnswer(pasteTable, 'paste')
