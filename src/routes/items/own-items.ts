import { invalid } from '../../errors.ts'
import { json } from '../../http/answers/respond.ts'
import type { Origin } from '../../http/edge/origin.ts'
import type { KeyedContext, NamedContext } from '../../http/route-list.ts'
import { nameOf } from '../../items/ids.ts'
import type { OwnLink, OwnLinkRecord, OwnPaste, OwnPasteRecord } from '../../items/own-items.ts'
import type { Done, StoredLink, StoredPaste } from '../../items/schema.ts'
import type { Log } from '../../log.ts'
import type { Counts } from '../../services/counts.ts'
import type { Listed, OwnItems } from '../../services/own-items.ts'
import type { Addresses } from '../../urls.ts'

export type OwnItemsParts = {
  ownPastes: OwnItems<StoredPaste>
  ownLinks: OwnItems<StoredLink>
  counts: Pick<Counts, 'ofMany'>
  origin: Origin
  log: Log
}

const limits = { standard: 50, most: 200 }

/** @throws {AppError} `invalid` */
const limitOf = (raw: string | null) => {
  if (raw === null) return limits.standard
  const limit = /^\d{1,3}$/.test(raw) ? Number(raw) : 0
  if (limit < 1 || limit > limits.most) throw invalid(`"limit" must be a number from 1 to ${limits.most}`)
  return limit
}

type Kind<T> = {
  /** `pastes` or `links`, in the path and in the answer. */
  plural: string
  /** Name of its count. */
  counted: 'reads' | 'visits'
  /** Of one item, in the answer. */
  singular: 'paste' | 'link'
  name: string
  own: OwnItems<T>
  /** Without what only the whole record has. */
  summary: (item: Listed<T>, addresses: Addresses) => object
  record: (item: T, addresses: Addresses) => object
}

const isoTime = (time: number) => new Date(time).toISOString()

/** What only some items have. */
const optionalFacts = ({ alias, expiresAt }: { alias?: string; expiresAt?: number }) => ({
  ...(alias !== undefined && { alias }),
  ...(expiresAt !== undefined && { expiresAt: isoTime(expiresAt) }),
})

const pasteFacts = (paste: Listed<StoredPaste>, urls: Addresses): Omit<OwnPaste, 'reads'> => {
  const { id, createdAt, title, description, language, bytes, maxReads, readsLeft } = paste
  return {
    id,
    createdAt: isoTime(createdAt),
    ...optionalFacts(paste),
    ...(maxReads !== undefined && readsLeft !== undefined && { maxReads, readsLeft }),
    title,
    description,
    language,
    bytes,
    pasteUrl: urls.paste(nameOf(paste)),
    rawUrl: urls.rawPaste(nameOf(paste)),
  }
}

const linkFacts = (link: Omit<StoredLink, 'owner'>, urls: Addresses): Omit<OwnLink, 'visits'> => {
  const { id, createdAt, url, maxVisits, visitsLeft } = link
  return {
    id,
    createdAt: isoTime(createdAt),
    ...optionalFacts(link),
    ...(maxVisits !== undefined && visitsLeft !== undefined && { maxVisits, visitsLeft }),
    url,
    shortendUrl: urls.link(nameOf(link)),
  }
}

const handlersOf = <T extends { id: string; owner: string }>(
  { plural, counted, singular, name: kind, own, summary, record }: Kind<T>,
  { counts, origin, log }: OwnItemsParts,
) => {
  const withCounts = <U extends { id: string }>(items: readonly U[], factsOf: (item: U) => object) => {
    const found = counts.ofMany(
      singular,
      items.map(({ id }) => id),
    )
    return items.map((item, at) => ({ ...factsOf(item), [counted]: found[at] }))
  }

  return {
    list: async ({ request, server, holder }: KeyedContext) => {
      const query = new URL(request.url).searchParams
      const limit = limitOf(query.get('limit'))
      const { items, after = null } = await own.list(holder.name, limit, query.get('after') ?? undefined)
      const addresses = origin.addresses({ request, server })
      const listed = withCounts(items, (item) => summary(item, addresses))
      return json({ success: true, [plural]: listed, after })
    },

    show: async ({ name, request, server, holder }: KeyedContext & NamedContext) => {
      const item = await own.find(holder.name, name)
      const [found] = withCounts([item], () => record(item, origin.addresses({ request, server })))
      return json({ success: true, [singular]: found })
    },

    erase: async ({ name, holder }: KeyedContext & NamedContext) => {
      const { id } = await own.delete(holder.name, name)
      log('info', `${kind} deleted`, { id, owner: holder.name })
      return json({ success: true, message: `The ${kind} was deleted` } satisfies Done)
    },
  }
}

/** What the key of a request made: lists, whole records, and deletion without a deletion key. */
export const createOwnItemHandlers = (parts: OwnItemsParts) => ({
  pastes: handlersOf(
    {
      plural: 'pastes',
      counted: 'reads',
      singular: 'paste',
      name: 'paste',
      own: parts.ownPastes,
      summary: pasteFacts,
      record: (paste, urls): Omit<OwnPasteRecord['paste'], 'reads'> => ({
        ...pasteFacts({ ...paste, bytes: Buffer.byteLength(paste.text) }, urls),
        owner: paste.owner,
        // To read it is a use that must be counted.
        ...(paste.readsLeft === undefined && { text: paste.text }),
      }),
    },
    parts,
  ),
  links: handlersOf(
    {
      plural: 'links',
      counted: 'visits',
      singular: 'link',
      name: 'short link',
      own: parts.ownLinks,
      summary: linkFacts,
      record: (link, urls): Omit<OwnLinkRecord['link'], 'visits'> => ({
        ...linkFacts(link, urls),
        owner: link.owner,
      }),
    },
    parts,
  ),
})
