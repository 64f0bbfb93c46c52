import Type from 'typebox'
import { addressed, counted, deletionUrl, noted, options, uses, words, wrongUses } from './any-item.ts'
import { type Body, bodySchema, changeSchema, defineTable, type Stored, storedSchema } from './field.ts'
import { createdAnswer, listAnswer, recordAnswer } from './schema.ts'

/** The fields of a short link. A new field is one more row: see "Adding a field" in ARCHITECTURE.md. */
export const linkTable = defineTable(
  {
    ...noted,
    // Parsed by `parseTarget` in `services/links.ts`.
    url: {
      schema: Type.String({ description: 'The URL to shorten' }),
      isContent: true,
      stored: Type.String({ pattern: '^https?://' }),
      // Missing for an admin key, if another key made the link and limited its visits.
      shown: ['list?', 'record?'],
      // The URL standard parses more than a `uri` of JSON Schema may hold, such as `http://}/`.
      shownAs: Type.String({ description: 'Where it leads' }),
      form: { label: 'Address', as: 'address', placeholder: 'https://example.org/a/long/address' },
      upload: false,
      flag: false,
    },
    title: {
      ...words('What the link is called in lists', 1024),
      isOptional: true,
      isContent: true,
      shown: ['list', 'record'],
      form: false,
      upload: false,
      flag: false,
    },
    ...options,
    maxVisits: {
      schema: uses('How often the link may be followed; with the last visit it is erased'),
      wrong: wrongUses,
      isOptional: true,
      isContent: false,
      shown: ['created', 'list', 'record'],
      form: { label: 'Delete after visits', as: 'uses', placeholder: 'no limit', isOption: true },
      upload: { doc: 'How often the link may be followed, from 1 to 1000000', example: 3 },
      flag: {
        value: 'NUMBER',
        doc: 'delete the link after so many visits, each by a button or a POST',
        switch: { name: 'burn', value: '1', doc: 'delete the link after one visit' },
      },
    },
    visitsLeft: {
      schema: uses('How often it can still be followed'),
      isOptional: true,
      shown: ['list', 'record'],
    },
    shortendUrl: addressed('The short link, to share'),
    deletionUrl: deletionUrl('link'),
    visits: counted('How often it was followed'),
  },
  {
    stored: ['id', 'createdAt', 'owner', 'deletionHash', 'expiresAt', 'alias'],
    created: ['shortendUrl', 'deletionUrl'],
    list: [
      ...(['id', 'createdAt', 'alias', 'expiresAt', 'maxVisits', 'visitsLeft'] as const),
      ...(['url', 'title', 'shortendUrl', 'owner', 'visits'] as const),
    ],
    form: ['url', 'alias', 'expiresIn'],
    flag: ['expiresIn', 'maxVisits'],
  },
)
type Link = (typeof linkTable)['fields']

/** Body of `POST /shortener`. */
export const LinkBody = bodySchema(linkTable)
export type LinkBody = Body<Link>

/** Body of `PATCH /links/<id>`. */
export const LinkChange = changeSchema(linkTable)

/** `links/ab/<id>.json` */
export const StoredLink = storedSchema(linkTable)
export type StoredLink = Stored<Link>

/** Answer of `POST /shortener`. */
export const LinkCreated = createdAnswer(linkTable)

/** Answers of `GET /links` and `GET /links/<id>`. */
export const OwnLinks = listAnswer(linkTable, 'links')
export const OwnLinkRecord = recordAnswer(linkTable, 'link')
