import { Elysia, NotFoundError } from 'elysia'
import type { AccessLog } from './http/access-log.ts'
import type { SiteAssets } from './http/assets.ts'
import { createErrorResponse } from './http/errors.ts'
import {
  checkHost,
  createFastPath,
  discardBody,
  type FastPath,
  type Fetch,
  guarded,
  type OnError,
} from './http/listen.ts'
import type { Origin } from './http/origin.ts'
import {
  api,
  createNoRoute,
  createRouteList,
  fastPrefixes,
  isFast,
  open,
  pathOf,
  prefixesOf,
  prefixOf,
  type RequestContext,
  type Route,
  type RouteContext,
  type RouteList,
  reading,
  shared,
  underPrefixes,
} from './http/routes.ts'
import { type Askers, createAskers, type KeyChecks } from './http/who.ts'
import type { Log } from './log.ts'
import type { ProtocolParts } from './routes/compatible/protocol.ts'
import { protocolRoutes } from './routes/compatible/protocols.ts'
import { createDiffHandlers } from './routes/diff/answer-diff.ts'
import { createDeletion } from './routes/items/deletions.ts'
import { createKeyItemHandlers, type ItemsOfKeyParts } from './routes/items/own-items.ts'
import {
  createLinkAnswers,
  createLinkCreation,
  type LinkAnswersParts,
  type LinkCreationParts,
} from './routes/links/links.ts'
import { createAdmin } from './routes/owner/admin.ts'
import { createStatsRoute } from './routes/owner/stats.ts'
import { createPasteAnswers, type PasteAnswersParts } from './routes/pastes/answer-paste.ts'
import { createPasteCreation, type PasteCreationParts } from './routes/pastes/create-paste.ts'
import { createDescription } from './routes/site/description.ts'
import { createHome, type HomeParts } from './routes/site/home.ts'
import {
  createQr,
  createReadiness,
  createSharex,
  type HealthParts,
  isAlive,
  showKey,
} from './routes/site/small-answers.ts'
import type { Links } from './services/links.ts'
import type { Pastes } from './services/pastes.ts'
import type { Stats } from './services/stats.ts'
import type { ProtocolName } from './settings/values.ts'

export type AppParts = HomeParts &
  PasteCreationParts &
  PasteAnswersParts &
  LinkCreationParts &
  LinkAnswersParts &
  ItemsOfKeyParts &
  Omit<ProtocolParts, 'pasteCreation' | 'pasteAnswers' | 'linkCreation' | 'postForm'> &
  HealthParts &
  KeyChecks &
  SiteAssets & {
    pastes: Pastes
    links: Links
    stats: Stats
    protocols: ReadonlySet<ProtocolName>
    origin: Origin
    log: Log
    /** Addresses with sub-paths that a proxy may leave on; the first is that of the pages. */
    servedAt: readonly [publicUrl: string | undefined, baseUrl: string | undefined]
    around: AccessLog['around']
  }

/** The handlers, by feature. */
const createHandlers = (parts: AppParts, routes: () => readonly Route[]) => {
  const { pastes, links, origin } = parts
  const linkCreation = createLinkCreation(parts)
  const pasteCreation = createPasteCreation(parts, linkCreation)
  const pasteAnswers = createPasteAnswers(parts)
  const own = createKeyItemHandlers(parts)
  const home = createHome(parts, pasteCreation, linkCreation, own)
  return {
    paste: {
      ...pasteCreation,
      ...pasteAnswers,
      deletion: createDeletion('paste', pastes, parts),
      own: own.pastes,
      qr: createQr(pastes, 'paste', origin),
    },
    link: {
      ...linkCreation,
      ...createLinkAnswers(parts),
      deletion: createDeletion('short link', links, parts),
      own: own.links,
      qr: createQr(links, 'link', origin),
    },
    diff: createDiffHandlers(parts),
    home,
    description: createDescription(parts, routes),
    isReady: createReadiness(parts),
    sharex: createSharex(origin),
    protocols: protocolRoutes(parts.protocols, {
      ...{ ...parts, pasteCreation, pasteAnswers, linkCreation },
      postForm: home.postForm,
    }),
    stats: createStatsRoute(parts.stats),
    admin: createAdmin(parts),
    readAsset: parts.readAsset,
  }
}

type Handlers = ReturnType<typeof createHandlers>

/** The table of routes. 405, preflights, reserved names, sub-paths, log and description are all read from it. */
const routesOf = (
  { paste, link, diff, home, description, isReady, sharex, stats, admin, readAsset, protocols }: Handlers,
  { creator, uploader, changer, owner }: Askers,
  { pastes, links }: Pick<AppParts, 'pastes' | 'links'>,
): readonly Route[] => {
  const isBurningPaste = async (name: string) => pastes.isBurning(await pastes.find(name))
  const isBurningLink = async (name: string) => links.isBurning(await links.find(name))
  return [
    shared('GET /', 'startPage', home.show),
    shared('POST /', 'sendForm', home.post),
    shared('PUT /', 'uploadText', uploader(paste.upload)),

    api('POST /paste', 'createPaste', creator('paste')(paste.create)),
    shared('GET /p/:id', 'readPaste', reading(paste.answerPaste, isFast)),
    shared('POST /p/:id', 'consumePaste', { handle: paste.consume, isBurning: isBurningPaste }),
    shared('GET /p/raw/:id', 'readRawPaste', reading(paste.answerRaw, isFast)),
    shared('POST /p/raw/:id', 'consumeRawPaste', { handle: paste.consumeRaw, isBurning: isBurningPaste }),
    shared('GET /diff/:id', 'askToCompare', diff.form),
    shared('GET /diff/:id/:other', 'comparePastes', reading(diff.answerDiff, isFast)),

    api('POST /shortener', 'createLink', creator('shorten')(link.create)),
    open('GET /s/:id', 'followLink', reading(link.answerLink, isFast)),
    open('POST /s/:id', 'consumeLink', { handle: link.consume, isBurning: isBurningLink }),

    shared('POST /paste/delete', 'postPasteDeletion', paste.deletion.erase),
    shared('DELETE /paste/delete', 'deletePaste', paste.deletion.erase),
    shared('GET /paste/delete', 'showPasteDeletion', paste.deletion.show),
    shared('POST /shortener/delete', 'postLinkDeletion', link.deletion.erase),
    shared('DELETE /shortener/delete', 'deleteLink', link.deletion.erase),
    shared('GET /shortener/delete', 'showLinkDeletion', link.deletion.show),

    api('GET /key', 'getKey', owner(showKey)),
    api('GET /key/pastes', 'showOwnPastes', owner(paste.own.showRows)),
    api('GET /key/links', 'showOwnLinks', owner(link.own.showRows)),
    api('GET /pastes', 'listOwnPastes', owner(paste.own.list)),
    api('GET /pastes/:id', 'getOwnPaste', owner(paste.own.show)),
    api('PATCH /pastes/:id', 'changePaste', changer('paste')(paste.own.change)),
    api('DELETE /pastes/:id', 'deleteOwnPaste', owner(paste.own.erase)),
    api('GET /pastes/:id/versions', 'listPasteVersions', owner(paste.own.versions)),
    api('DELETE /pastes/:id/versions', 'deletePasteVersions', owner(paste.own.eraseVersions)),
    api('GET /pastes/:id/versions/:version', 'getPasteVersion', owner(paste.own.version)),
    api('POST /pastes/:id/versions/:version', 'compareTypedPaste', owner(diff.pasteVersions)),
    api('GET /pastes/:id/versions/:version/:other', 'comparePasteVersions', owner(diff.pasteVersions)),
    api('GET /links', 'listOwnLinks', owner(link.own.list)),
    api('GET /links/:id', 'getOwnLink', owner(link.own.show)),
    api('PATCH /links/:id', 'changeLink', changer('shorten')(link.own.change)),
    api('DELETE /links/:id', 'deleteOwnLink', owner(link.own.erase)),
    api('GET /links/:id/versions', 'listLinkVersions', owner(link.own.versions)),
    api('DELETE /links/:id/versions', 'deleteLinkVersions', owner(link.own.eraseVersions)),
    api('GET /links/:id/versions/:version', 'getLinkVersion', owner(link.own.version)),
    api('POST /links/:id/versions/:version', 'compareTypedLink', owner(diff.linkVersions)),
    api('GET /links/:id/versions/:version/:other', 'compareLinkVersions', owner(diff.linkVersions)),

    open('GET /admin', 'showAdmin', admin),
    api('GET /stats', 'readStats', owner(stats)),
    open('GET /qr/p/:id', 'pasteQrCode', paste.qr),
    open('GET /qr/s/:id', 'linkQrCode', link.qr),
    open('GET /assets/:name', 'readAsset', readAsset),
    open('GET /openapi.json', 'readDescription', description.json),
    open('GET /docs', 'readDocs', description.page),
    open('GET /healthz', 'isAlive', isAlive),
    open('GET /readyz', 'isReady', isReady),
    open('GET /sharex/paste.sxcu', 'sharexPastes', sharex.paste),
    open('GET /sharex/link.sxcu', 'sharexLinks', sharex.link),
    ...protocols,
    shared('PUT /:name', 'uploadFile', uploader(paste.upload)),
  ]
}

export type App = {
  fetch: Fetch
  /** Answered by Bun's own router, before `fetch`. */
  fastPath: FastPath
  routes: readonly Route[]
}

const withoutBody = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS'])

type Matched = RequestContext & { params?: RouteContext['params'] }

/** Elysia has no `params` where the path has none, and null for one that is not valid UTF-8. */
const contextOf = ({ request, server, params = {} }: Matched) => ({
  ...{ request, server, params },
  name: params.id ?? params.name ?? '',
})

/** Mounts the routes. @param noRoute answers what none of them does; never rejects */
const mount = (
  routes: readonly Route[],
  list: RouteList,
  onError: OnError,
  noRoute: (request: Request) => Response | Promise<Response>,
) => {
  /** Answers to `HEAD`. Elysia would read their whole body to count it, and block the server for 10 MB. */
  const answersToHead = new WeakMap<Request, Response>()
  // With a host under four characters (`http://nas/`), Elysia would cut the path at the wrong place.
  const app = new Elysia({ handler: { standardHostname: false } })
    .onRequest(({ request }) => {
      checkHost(request)
      if (withoutBody.has(request.method)) discardBody(request)
    })
    // Must be `async`, or Elysia does not await it.
    .onError(async ({ error, request }) =>
      error instanceof NotFoundError ? noRoute(request) : onError(error, request),
    )
    .mapResponse(({ request, responseValue }) => {
      if (request.method !== 'HEAD' || !(responseValue instanceof Response)) return
      answersToHead.set(request, responseValue)
      return new Response(null)
    })
  for (const { method, path, handle } of routes) {
    const answer = (context: Matched) =>
      path.startsWith('/:') && !list.at(pathOf(context.request))?.isCatchAll
        ? noRoute(context.request)
        : handle(contextOf(context))
    // A handler reads its body itself, after the key check.
    app.route(method, path, answer, { parse: 'none' })
  }
  const route: Fetch = (request, server) => {
    app.server = server
    const response = app.fetch(request)
    if (request.method !== 'HEAD') return response
    return Promise.resolve(response).then((headers) => answersToHead.get(request) ?? headers)
  }
  return guarded(route, onError)
}

/** Builds the HTTP application. */
export const createApp = (parts: AppParts): App => {
  const { servedAt, around } = parts
  const handlers = createHandlers(parts, () => routes)
  const routes = routesOf(handlers, createAskers(parts), parts)
  const list = createRouteList(routes)
  const isApi = (path: string) => list.at(path)?.isApi === true
  const onError = createErrorResponse(parts.log, prefixOf(servedAt[0]), parts.siteAt, isApi)
  const noRoute = guarded(createNoRoute(list), onError)
  const route = mount(routes, list, onError, (request) => noRoute(request, undefined))
  const prefixes = prefixesOf(...servedAt)
  return {
    fetch: around(underPrefixes(route, prefixes, list), (request) => list.findAny(pathOf(request)) ?? 'none'),
    fastPath: createFastPath(routes, { prefixes: fastPrefixes(prefixes, list.isReserved), onError, around }),
    routes,
  }
}
