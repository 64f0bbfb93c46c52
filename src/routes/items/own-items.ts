import { invalid } from '../../errors.ts'
import { json } from '../../http/answers/respond.ts'
import type { Identify } from '../../http/auth.ts'
import { sharedResource } from '../../http/cors.ts'
import type { Origin } from '../../http/edge/origin.ts'
import type { RequestContext } from '../../http/resource.ts'
import type { OwnLink, OwnLinkRecord, OwnPaste, OwnPasteRecord } from '../../items/own-items.ts'
import type { Done, StoredLink, StoredPaste } from '../../items/schema.ts'
import type { Log } from '../../log.ts'
import type { Counts } from '../../services/counts.ts'
import type { Listed, OwnItems } from '../../services/own-items.ts'
import { type Addresses, nameOf } from '../../urls.ts'

export type OwnItemRoutesParts = {
  ownPastes: OwnItems<StoredPaste>
  ownLinks: OwnItems<StoredLink>
  counts: Pick<Counts, 'of'>
  identify: Identify
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

const kindRoutes = <T extends { id: string; owner: string }>(
  { plural, counted, singular, name, own, summary, record }: Kind<T>,
  { counts, identify, origin, log }: OwnItemRoutesParts,
) => {
  const withCount = async (item: { id: string }, facts: object) => ({
    ...facts,
    [counted]: await counts.of(singular, item.id),
  })

  const ownerOf = async ({ request }: RequestContext) => (await identify(request.headers.get('key'))).name

  return sharedResource(`/${plural}`, {
    get: async (context) => {
      const owner = await ownerOf(context)
      const query = new URL(context.request.url).searchParams
      const { items, after = null } = await own.list(
        owner,
        limitOf(query.get('limit')),
        query.get('after') ?? undefined,
      )
      const addresses = origin.addresses(context)
      const listed = await Promise.all(items.map((item) => withCount(item, summary(item, addresses))))
      return json({ success: true, [plural]: listed, after })
    },
  }).use(
    sharedResource(`/${plural}/:id`, {
      get: async (context) => {
        const owner = await ownerOf(context)
        const item = await own.find(owner, context.params.id ?? '')
        return json({
          success: true,
          [singular]: await withCount(item, record(item, origin.addresses(context))),
        })
      },
      delete: async (context) => {
        const owner = await ownerOf(context)
        const { id } = await own.delete(owner, context.params.id ?? '')
        log('info', `${name} deleted`, { id, owner })
        return json({ success: true, message: `The ${name} was deleted` } satisfies Done)
      },
    }),
  )
}

/** What the key of a request made: lists, whole records, and deletion without a deletion key. */
export const ownItemRoutes = (parts: OwnItemRoutesParts) =>
  kindRoutes(
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
  ).use(
    kindRoutes(
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
  )
