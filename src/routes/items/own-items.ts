import { ItemRows, type ItemRowsProps, type ListedItem, type Totals } from '../../../views/item-list.tsx'
import { invalid } from '../../errors.ts'
import { countOf, dateFacts, expiryFacts, publicName, sizeText } from '../../format.ts'
import { languageName } from '../../highlight/languages/languages.ts'
import { json, page } from '../../http/answers.ts'
import { bodyLimit, maxLinkBodyBytes } from '../../http/body.ts'
import type { Addresses, Origin } from '../../http/origin.ts'
import type { KeyedContext, NamedContext, RequestContext } from '../../http/routes.ts'
import { parseSince } from '../../items/durations.ts'
import { createView } from '../../items/field.ts'
import { linkTable, type StoredLink } from '../../items/link.ts'
import { pasteName, untitled } from '../../items/name.ts'
import { pasteTable, type StoredPaste } from '../../items/paste.ts'
import type { Done } from '../../items/schema.ts'
import type { Log } from '../../log.ts'
import type { Counts } from '../../services/counts.ts'
import type { Wanted } from '../../services/finding.ts'
import type { Item } from '../../services/items.ts'
import type { Links } from '../../services/links.ts'
import type { ItemsOfKey, Listed } from '../../services/own-items.ts'
import type { LanguageLookup, Pastes } from '../../services/pastes.ts'
import { type ChangesParts, createChangeHandlers, tagOf } from './changes.ts'

export type ItemsOfKeyParts = {
  pastesOfKey: ItemsOfKey<StoredPaste>
  linksOfKey: ItemsOfKey<StoredLink>
  pastes: Pick<Pastes, 'readChange'>
  links: Pick<Links, 'readChange'>
  counts: Pick<Counts, 'ofMany'>
  findLanguage: LanguageLookup
  /** Milliseconds since the epoch. */
  now: () => number
  origin: Origin
  log: Log
  maxPasteBytes: number
}

const limits = { standard: 50, most: 200 }

/** @throws {AppError} `invalid` */
const limitOf = (raw: string | null) => {
  if (raw === null) return limits.standard
  const limit = /^\d{1,3}$/.test(raw) ? Number(raw) : 0
  if (limit < 1 || limit > limits.most) throw invalid(`"limit" must be a number from 1 to ${limits.most}`)
  return limit
}

type Answer = Readonly<Record<string, unknown>>

type RowWords = Pick<ListedItem, 'name' | 'nameIs' | 'url' | 'target' | 'about' | 'size'> & {
  left: number | undefined
}

type Kind<T extends Item> = {
  /** `pastes` or `links`, in the path and in the answer. */
  plural: string
  /** Used for one item in the answer. */
  singular: 'paste' | 'link'
  name: string
  own: ItemsOfKey<T>
  /** A record without the fields that only the single item shows. */
  summary: (item: Listed<T>, addresses: Addresses, uses: number) => Answer
  record: (item: T, addresses: Addresses, uses: number) => Answer
  /** What a row says of an item. @param isOfOwner true in a list of others, too @param isOwn true if the key made it */
  row: (item: Listed<T>, addresses: Addresses, isOfOwner: boolean, isOwn: boolean) => RowWords
  /** What is counted: `read` or `visit`. */
  use: string
  /** Takes out of an answer what an admin key may not see of another key's item. */
  shownToAdmin: (answer: Answer) => Answer
} & Pick<ChangesParts<T>, 'readChange' | 'maxBodyBytes' | 'sizeOf'>

const listedPaste = createView(pasteTable, 'list')
const pasteRecord = createView(pasteTable, 'record')
const listedLink = createView(linkTable, 'list')
const linkRecord = createView(linkTable, 'record')

const nameIs = ({ title, name }: Listed<StoredPaste>) => {
  if (title.trim() !== '') return undefined
  return name === untitled ? 'untitled' : 'first-line'
}

const pasteUrls = (paste: Listed<StoredPaste>, urls: Addresses) => ({
  pasteUrl: urls.paste(publicName(paste)),
  rawUrl: urls.rawPaste(publicName(paste)),
})

/** Finds items, with how often each was used. */
const createReading = <T extends Item>(
  { singular, own, record }: Kind<T>,
  { counts, origin, now, findLanguage }: ItemsOfKeyParts,
) => {
  const withCounts = async <U extends { id: string }, R>(
    items: readonly U[],
    factsOf: (item: U, uses: number) => R,
  ) => {
    const found = await counts.ofMany(
      singular,
      items.map(({ id }) => id),
    )
    return items.map((item, at) => factsOf(item, found[at] ?? 0))
  }

  const recordOf = async ({ request, server }: RequestContext, item: T) => {
    const [found = {}] = await withCounts([item], (one, uses) =>
      record(one, origin.addresses({ request, server }), uses),
    )
    return found
  }

  /** What the query of a list asks for. `isOfOwner` is true if it asks whose items they are. */
  const find = async (holder: KeyedContext['holder'], query: URLSearchParams) => {
    const asked = query.get('owner')
    const owner = own.ownerAsked(holder, asked)
    const limit = limitOf(query.get('limit'))
    const wanted = wantedOf(singular, query, now(), findLanguage)
    const cursor = query.get('after') ?? undefined
    const found = await (wanted ? own.search(owner, wanted, limit, cursor) : own.list(owner, limit, cursor))
    return { found, sort: wanted?.sort, owner, isOfOwner: asked !== null }
  }

  return { withCounts, recordOf, find }
}

const handlersOf = <T extends Item>(kindParts: Kind<T>, parts: ItemsOfKeyParts) => {
  const { origin, log, pastesOfKey, linksOfKey } = parts
  const { plural, singular, name: kind, own, summary, row, use, shownToAdmin } = kindParts
  const { withCounts, recordOf, find } = createReading(kindParts, parts)

  const totalsOf = async (owner: string | undefined): Promise<Totals> => {
    const [pastes, links] = await Promise.all([pastesOfKey.count(owner), linksOfKey.count(owner)])
    return { pastes, links }
  }

  const rows = async (context: KeyedContext, query: URLSearchParams): Promise<ItemRowsProps> => {
    const { holder } = context
    const { found, sort, owner, isOfOwner } = await find(holder, query)
    const { after, isComplete } = { isComplete: true, ...found }
    const addresses = origin.addresses(context)
    const items = await withCounts(found.items, (item, uses): ListedItem => {
      const { createdAt, createdAtText, ...changed } = dateFacts(item)
      const { about, left, ...words } = row(item, addresses, isOfOwner, item.owner === holder.name)
      return {
        path: `${plural}/${item.id}`,
        ...words,
        about: [isOfOwner ? item.owner : '', about].filter(Boolean).join(' · '),
        uses: left === undefined ? countOf(uses, use) : `${countOf(left, use)} left`,
        isBurning: left !== undefined,
        ...{ createdAt, createdAtText },
        ...(sort === 'changed' && changed),
        ...expiryFacts(item),
        ...(isOfOwner && { owner: item.owner }),
      }
    })
    return { items, after, isComplete, totals: await totalsOf(owner) }
  }

  return {
    ...createChangeHandlers({ ...kindParts, recordOf, origin, log }),

    rows,

    /** The list as `rows` has it, for the scripts of My items and of the page of the owner. */
    showRows: async (context: KeyedContext) =>
      page(ItemRows(await rows(context, new URL(context.request.url).searchParams)) as string),

    list: async (context: KeyedContext) => {
      const { request, holder } = context
      const { found, isOfOwner } = await find(holder, new URL(request.url).searchParams)
      const { items, after = null, ...others } = found
      const addresses = origin.addresses(context)
      const listed = await withCounts(items, ({ owner, ...item }, uses) => {
        const shown = summary(item as Listed<T>, addresses, uses)
        if (!isOfOwner) return shown
        return owner === holder.name ? { ...shown, owner } : shownToAdmin({ ...shown, owner })
      })
      return json({ success: true, [plural]: listed, after, ...others })
    },

    show: async (context: KeyedContext & NamedContext) => {
      const item = await own.look(context.holder, context.name)
      const record = await recordOf(context, item)
      const shown = item.owner === context.holder.name ? record : shownToAdmin(record)
      return json({ success: true, [singular]: shown }, 200, { ETag: tagOf(item) })
    },

    erase: async ({ name, holder }: KeyedContext & NamedContext) => {
      const { id, owner } = await own.delete(holder, name)
      log('info', `${kind} deleted`, { id, owner, ...(owner !== holder.name && { by: holder.name }) })
      return json({ success: true, message: `The ${kind} was deleted` } satisfies Done)
    },
  }
}

const withoutText = ({ text: _, ...answer }: Answer) => answer

/** A target behind a limit of visits is to be seen by those who follow the link. */
const withoutLimitedTarget = (answer: Answer) => {
  const { url: _, ...others } = answer
  return answer.maxVisits === undefined ? answer : others
}

/** Lists, shows and deletes what a key created; no deletion key is needed. */
export const createKeyItemHandlers = (parts: ItemsOfKeyParts) => ({
  pastes: handlersOf(
    {
      plural: 'pastes',
      singular: 'paste',
      name: 'paste',
      own: parts.pastesOfKey,
      readChange: (body) => parts.pastes.readChange(body),
      maxBodyBytes: bodyLimit(parts.maxPasteBytes),
      sizeOf: ({ text }) => Buffer.byteLength(text),
      summary: (paste, urls, reads) => listedPaste({ ...paste, ...pasteUrls(paste, urls), reads }),
      record: ({ text, ...paste }, urls, reads) => {
        const listed = {
          ...paste,
          name: pasteName({ ...paste, text }),
          bytes: Buffer.byteLength(text),
          reads,
        }
        // Showing the text of a burn-after-reading paste would be an uncounted read.
        const shown = paste.readsLeft === undefined ? { text } : {}
        return pasteRecord({ ...listed, ...pasteUrls(listed, urls), ...shown })
      },
      row: (paste, urls) => ({
        name: paste.name,
        nameIs: nameIs(paste),
        url: urls.paste(publicName(paste)),
        about: languageName(paste.language),
        size: sizeText(paste.bytes),
        left: paste.readsLeft,
      }),
      use: 'read',
      shownToAdmin: withoutText,
    },
    parts,
  ),
  links: handlersOf(
    {
      plural: 'links',
      singular: 'link',
      name: 'short link',
      own: parts.linksOfKey,
      readChange: (body, { isOwnLink }) => parts.links.readChange(body, isOwnLink),
      maxBodyBytes: maxLinkBodyBytes,
      sizeOf: ({ url }) => Buffer.byteLength(url),
      summary: (link, urls, visits) =>
        listedLink({ ...link, shortendUrl: urls.link(publicName(link)), visits }),
      record: (link, urls, visits) =>
        linkRecord({ ...link, shortendUrl: urls.link(publicName(link)), visits }),
      row: (link, urls, isOfOwner, isOwn) => ({
        // A name has room for a title, and is cut at its end.
        name: [`/s/${publicName(link)}`, link.title].filter(Boolean).join(' · '),
        nameIs: 'short',
        // An owner wants to see where a link leads, and not to go there.
        url: `${urls.link(publicName(link))}${isOfOwner ? '+' : ''}`,
        target: isOwn || link.maxVisits === undefined ? link.url : '',
        ...{ about: '', size: '' },
        left: link.visitsLeft,
      }),
      use: 'visit',
      shownToAdmin: withoutLimitedTarget,
    },
    parts,
  ),
})
export type KeyItemHandlers = ReturnType<typeof createKeyItemHandlers>

/** The orders of each list, as its parameter `sort` names them. */
export const sortsOf = {
  paste: { created: 'created', changed: 'changed', reads: 'uses', size: 'size', expires: 'expires' },
  link: { created: 'created', changed: 'changed', visits: 'uses', size: 'size', expires: 'expires' },
} as const
type SortedKind = keyof typeof sortsOf

/** @throws {AppError} `invalid` */
const timeOf = (since: string, now: number) => {
  // A "+" of a zone is a space in a query.
  const time = parseSince(since.replace(' ', '+'), now)
  if (time !== undefined) return time
  throw invalid('"since" must be a date such as "2026-11-23", a time such as "2026-11-23T08:00:00Z", or "7d"')
}

const languageOf = (kind: SortedKind, name: string, findLanguage: LanguageLookup) => {
  if (kind === 'link') throw invalid('"language" is only for pastes')
  const language = findLanguage(name)
  if ('id' in language) return language.id
  throw invalid(`"language" is not a known language; the nearest one is "${language.nearest}"`)
}

const sortOf = (kind: SortedKind, name: string) => {
  const sorts: Readonly<Record<string, Wanted['sort']>> = sortsOf[kind]
  const sort = Object.hasOwn(sorts, name) ? sorts[name] : undefined
  if (sort !== undefined) return sort
  throw invalid(`"sort" must be one of ${Object.keys(sorts).join(', ')}`)
}

/**
 * What the query of a list asks to find; `undefined` if it asks for the whole list, newest first. An empty parameter counts
 * as left out, because forms send it. @throws {AppError} `invalid`
 */
export const wantedOf = (
  kind: SortedKind,
  query: URLSearchParams,
  now: number,
  findLanguage: LanguageLookup,
): Wanted | undefined => {
  const [text, language, since, order] = ['q', 'language', 'since', 'sort'].map(
    (name) => query.get(name) ?? '',
  )
  const wanted: Wanted = {
    text: text?.trim() ?? '',
    sort: order ? sortOf(kind, order) : 'created',
    ...(language && { language: languageOf(kind, language, findLanguage) }),
    ...(since && { since: timeOf(since, now) }),
  }
  const isAll = wanted.text === '' && wanted.sort === 'created' && !language && !since
  return isAll ? undefined : wanted
}
