import Type, { type Static } from 'typebox'
import { address, LinkBody, LinkCreated, object, PasteBody, PasteCreated, PublicPaste } from './schema.ts'

/** `owners/state.json`: when the lists of what each key made can be trusted. */
export const IndexState = Type.Object({
  /** Boot of the machine in which it was written. */
  boot: Type.String(),
  /** Whether everything was synced: written by a stop, taken back before the next change. */
  isClean: Type.Boolean(),
  /** Which folder it was written for. */
  folder: Type.String(),
  /** Records of each list, at least. */
  lists: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
})
export type IndexState = Static<typeof IndexState>

const listedItem = {
  id: PublicPaste.properties.id,
  alias: Type.Optional(Type.String({ description: 'Only where it has one: the name in its address' })),
  expiresAt: PublicPaste.properties.expiresAt,
  createdAt: PublicPaste.properties.createdAt,
}
const { title, description, language } = PasteBody.properties
/** Former versions took words of any length. */
const { text: wholeText, title: wholeTitle, description: wholeDescription } = PublicPaste.properties

/** A paste in the list of its key. */
export const OwnPaste = object({
  ...listedItem,
  title,
  description,
  language,
  bytes: Type.Integer({ minimum: 1, description: 'Size of the text in UTF-8' }),
  maxReads: PublicPaste.properties.maxReads,
  readsLeft: PublicPaste.properties.readsLeft,
  reads: Type.Integer({ minimum: 0, description: 'How often it was read' }),
  pasteUrl: PasteCreated.properties.pasteUrl,
  rawUrl: PasteCreated.properties.rawUrl,
})
export type OwnPaste = Static<typeof OwnPaste>

/** A short link in the list of its key. */
export const OwnLink = object({
  ...listedItem,
  url: address('Where it leads'),
  maxVisits: LinkBody.properties.maxVisits,
  visitsLeft: LinkBody.properties.maxVisits,
  visits: Type.Integer({ minimum: 0, description: 'How often it was followed' }),
  shortendUrl: LinkCreated.properties.shortendUrl,
})
export type OwnLink = Static<typeof OwnLink>

const done = Type.Literal(true)
const owner = Type.String({ description: 'Name of the API key that made it' })
const after = Type.Union([Type.String(), Type.Null()], {
  description: 'To be sent as `after` for the next page; `null` where there is none',
})

/** Answer of `GET /pastes`. */
export const OwnPastes = object({ success: done, pastes: Type.Array(OwnPaste), after })
export type OwnPastes = Static<typeof OwnPastes>

/** Answer of `GET /links`. */
export const OwnLinks = object({ success: done, links: Type.Array(OwnLink), after })
export type OwnLinks = Static<typeof OwnLinks>

/** Answer of `GET /pastes/<id>`. */
export const OwnPasteRecord = object({
  success: done,
  paste: object({
    ...OwnPaste.properties,
    title: wholeTitle,
    description: wholeDescription,
    owner,
    text: Type.Optional(wholeText),
  }),
})
export type OwnPasteRecord = Static<typeof OwnPasteRecord>

/** Answer of `GET /links/<id>`. */
export const OwnLinkRecord = object({ success: done, link: object({ ...OwnLink.properties, owner }) })
export type OwnLinkRecord = Static<typeof OwnLinkRecord>
