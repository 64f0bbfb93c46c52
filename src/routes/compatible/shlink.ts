import { publicName } from '../../format.ts'
import { json, jsonHeaders } from '../../http/answers.ts'
import { maxLinkBodyBytes, readJsonObject } from '../../http/body.ts'
import { api, type Handle, nothingHere, type RequestContext, type RouteContext } from '../../http/routes.ts'
import { secondsText } from '../../items/durations.ts'
import { versionOf } from '../../items/ids.ts'
import type { StoredLink } from '../../items/link.ts'
import type { Log } from '../../log.ts'
import { findSame, inOurWords } from './links.ts'
import { type Failure, keyIn, type Protocol, type ProtocolParts, speaking } from './protocol.ts'
import { changedFields, newFields, problemOf, readList } from './shlink-fields.ts'

type ShownLink = Pick<StoredLink, 'id' | 'alias' | 'url' | 'title' | 'createdAt' | 'expiresAt' | 'maxVisits'>

/** The version of Shlink whose API is spoken. */
const apiVersion = '4.0.0'

const answerAs = (type: string, body: object, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { ...jsonHeaders, 'Content-Type': type } })

const sayTo = (context: RouteContext) => (failure: Failure) => {
  const problem = problemOf(failure, Boolean(keyOf(context)), context.name)
  return answerAs('application/problem+json', problem, problem.status)
}

const atomText = (time: number) => secondsText(time).replace('Z', '+00:00')

const keyOf = (context: RequestContext) => keyIn(context, 'x-api-key')

const createSpoken = (log: Log) => (place: string, operationId: string, handle: Handle) =>
  api(place, operationId, (context) =>
    speaking(
      log,
      sayTo(context),
    )((one) => {
      if (/^v[23]$/.test(one.params.version ?? 'v3')) return handle(one)
      throw nothingHere(one.request)
    })(context),
  )

const shownAs = ({ origin }: ProtocolParts, context: RequestContext, link: ShownLink, total: number) => ({
  shortUrl: origin.addresses(context).link(publicName(link)),
  ...{ shortCode: publicName(link), longUrl: link.url, dateCreated: atomText(link.createdAt) },
  ...{ visitsSummary: { total, nonBots: total, bots: 0 }, tags: [] },
  meta: {
    validSince: null,
    validUntil: link.expiresAt === undefined ? null : atomText(link.expiresAt),
    maxVisits: link.maxVisits ?? null,
  },
  ...{ domain: null, title: link.title || null },
  ...{ crawlable: false, forwardQuery: false, hasRedirectRules: false },
})

const health: Handle = () =>
  answerAs('application/health+json', { status: 'pass', version: apiVersion, links: {} })

/** Another domain has other short URLs. */
const checkDomain = ({ request }: RouteContext) => {
  if (new URL(request.url).searchParams.get('domain')) throw nothingHere(request)
}

/** A page of the short links of a key. */
const pageOf = async (parts: ProtocolParts, context: RequestContext, owner: string) => {
  const { linksOfKey, counts } = parts
  const { page, size, text, sort } = readList(new URL(context.request.url).searchParams)
  const isAll = text === '' && sort === 'created'
  const { items, after, total } = await (isAll
    ? linksOfKey.list(owner, page * size)
    : linksOfKey.search(owner, { text, sort }, page * size))
  const here = items.slice((page - 1) * size)
  const ids = here.map(({ id }) => id)
  const visits = await counts.ofMany('link', ids)
  const data = here.map((link, at) => shownAs(parts, context, link, visits[at] ?? 0))
  const totalItems = total ?? items.length + (after === undefined ? 0 : 1)
  const pagesCount = Math.max(1, Math.ceil(totalItems / size))
  const counted = { itemsPerPage: size, itemsInCurrentPage: data.length, totalItems }
  return { data, pagination: { currentPage: page, pagesCount, ...counted } }
}

/** Shlink: short links for its SDKs, its web client, and programs that send an address alone. */
export const shlink: Protocol = (parts) => {
  const { guard, guardChange, identify, linkCreation, linksOfKey, links, counts, origin, log, now } = parts

  const spoken = createSpoken(log)
  const show = async (context: RequestContext, link: ShownLink) =>
    json(shownAs(parts, context, link, await counts.of('link', link.id)))
  const ownerOf = async (context: RequestContext) => (await identify(context, keyOf(context))).name
  const urls = '/rest/:version/short-urls'
  return [
    spoken('GET /rest/health', 'shlinkHealth', health),
    spoken('GET /rest/:version/health', 'shlinkVersionHealth', health),
    spoken('GET /rest/:version/tags', 'listShlinkTags', async (context) => {
      await ownerOf(context)
      return json({ tags: { data: [] } })
    }),
    spoken(`POST ${urls}`, 'createShortUrl', async (context) => {
      const holder = await guard(context, keyOf(context), 'shorten')
      const sent = await readJsonObject(context, maxLinkBodyBytes)
      const body = inOurWords(sent, newFields(now()))
      const { findIfExists } = sent as { findIfExists?: unknown }
      const same = findIfExists === true ? await findSame(parts, holder, body) : undefined
      return show(context, same ?? (await linkCreation.store(context, body, holder)).item)
    }),
    spoken(`GET ${urls}`, 'listShortUrls', async (context) => {
      const holder = await identify(context, keyOf(context))
      return json({ shortUrls: await pageOf(parts, context, holder.name) })
    }),
    spoken(`GET ${urls}/:name`, 'getShortUrl', async (context) => {
      const owner = await ownerOf(context)
      checkDomain(context)
      return show(context, await linksOfKey.find(owner, context.name))
    }),
    spoken(`PATCH ${urls}/:name`, 'editShortUrl', async (context) => {
      const { name: owner } = await guardChange(context, keyOf(context), 'shorten')
      checkDomain(context)
      const sent = await readJsonObject(context, maxLinkBodyBytes)
      const body = inOurWords(sent, changedFields(now()))
      // Shlink takes a change of nothing.
      if (Object.keys(body).length === 0) return show(context, await linksOfKey.find(owner, context.name))
      const change = links.readChange(body, origin.addresses(context).isOwnLink)
      const link = await linksOfKey.change(owner, context.name, change)
      log('info', 'short link changed', { id: link.id, owner, version: versionOf(link) })
      return show(context, link)
    }),
    spoken(`DELETE ${urls}/:name`, 'deleteShortUrl', async (context) => {
      const owner = await ownerOf(context)
      checkDomain(context)
      const { id } = await linksOfKey.delete({ name: owner }, context.name)
      log('info', 'short link deleted', { id, owner })
      return new Response(null, { status: 204, headers: jsonHeaders })
    }),
  ]
}
