import { Elysia, NotFoundError } from 'elysia'
import type { AccessLog } from './http/access-log.ts'
import type { SiteAssets } from './http/assets.ts'
import { createErrorResponse } from './http/errors.ts'
import { checkHost, createFastPath, discardBody, type FastPath, type Fetch, guarded } from './http/listen.ts'
import type { Origin } from './http/origin.ts'
import {
  api,
  createNoRoute,
  createRouteList,
  fastPrefixes,
  open,
  pathOf,
  prefixesOf,
  prefixOf,
  type Route,
  type RouteList,
  shared,
  underPrefixes,
} from './http/routes.ts'
import { type KeyChecks, keyCheck } from './http/who.ts'
import type { Log } from './log.ts'
import { createDiffHandlers } from './routes/diff/compare-form.ts'
import { createDeletion } from './routes/items/deletions.ts'
import { createKeyItemHandlers, type ItemsOfKeyParts } from './routes/items/own-items.ts'
import { createQr } from './routes/items/qr.ts'
import { createLinkAnswers, type LinkAnswersParts } from './routes/links/answer-link.ts'
import { createLinkCreation, type LinkCreationParts } from './routes/links/create-link.ts'
import { createAdmin } from './routes/owner/admin.ts'
import { createStatsRoute } from './routes/owner/stats.ts'
import { createPasteAnswers, type PasteAnswersParts } from './routes/pastes/answer-paste.ts'
import { createPasteConsumption } from './routes/pastes/consume-paste.ts'
import { createPasteCreation, type PasteCreationParts } from './routes/pastes/create-paste.ts'
import { createDescription } from './routes/site/description.ts'
import { createReadiness, type HealthParts, isAlive } from './routes/site/health.ts'
import { createHome, type HomeParts } from './routes/site/home.ts'
import { showKey } from './routes/site/key.ts'
import { createRootNames, type RootNamesParts } from './routes/site/root-names.ts'
import { createSharex } from './routes/site/sharex.ts'
import type { Links } from './services/links.ts'
import type { Pastes } from './services/pastes.ts'
import type { Stats } from './services/stats.ts'

export type AppParts = HomeParts &
  PasteCreationParts &
  PasteAnswersParts &
  LinkCreationParts &
  LinkAnswersParts &
  ItemsOfKeyParts &
  RootNamesParts &
  HealthParts &
  KeyChecks &
  SiteAssets & {
    pastes: Pastes
    links: Links
    stats: Stats
    origin: Origin
    log: Log
    /** Addresses with sub-paths that a proxy may leave on; the first is that of the pages. */
    servedAt: readonly [publicUrl: string | undefined, baseUrl: string | undefined]
    around: AccessLog['around']
  }

/** The handlers, by feature. */
const createHandlers = (parts: AppParts, routes: () => readonly Route[]) => {
  const { pastes, links, origin } = parts
  const pasteCreation = createPasteCreation(parts)
  const linkCreation = createLinkCreation(parts)
  const own = createKeyItemHandlers(parts)
  return {
    paste: {
      ...pasteCreation,
      ...createPasteAnswers(parts),
      ...createPasteConsumption(parts),
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
    home: createHome(parts, pasteCreation, linkCreation),
    description: createDescription(parts, routes),
    isReady: createReadiness(parts),
    sharex: createSharex(origin),
    toPage: createRootNames(parts),
    stats: createStatsRoute(parts.stats),
    admin: createAdmin(parts),
    readAsset: parts.readAsset,
  }
}

/** Elysia sets null if the percent-encoding is not valid UTF-8. */
type Params = Readonly<Record<string, string | null>> | undefined

type Handlers = ReturnType<typeof createHandlers>

const createBase = (parts: AppParts) =>
  new Elysia()
    .use(keyCheck(parts))
    .derive(({ params }: { params: Params }) => ({ name: params?.id ?? params?.name ?? '' }))
type Base = ReturnType<typeof createBase>

const addItems = (routes: Base, { paste, link, diff }: Handlers) =>
  routes
    .post('/paste', paste.create, { ...api('createPaste'), key: 'paste' })
    .get('/p/:id', ({ name, request }) => paste.answerPaste(name, request), shared('readPaste'))
    .post('/p/:id', paste.consume, shared('consumePaste'))
    .get('/p/raw/:id', ({ name, request }) => paste.answerRaw(name, request), shared('readRawPaste'))
    .post('/p/raw/:id', paste.consumeRaw, shared('consumeRawPaste'))
    .post('/documents', paste.haste, api('createDocument'))
    .get('/diff/:id', diff.form, shared('askToCompare'))
    .get('/diff/:id/:other', diff.compare, shared('comparePastes'))
    .get('/documents/:id', ({ name, request }) => paste.answerDocument(name, request), shared('readDocument'))
    .get('/raw/:id', ({ name, request }) => paste.answerRawDocument(name, request), shared('readRawDocument'))

    .post('/shortener', link.create, { ...api('createLink'), key: 'shorten' })
    .get('/s/:id', ({ name, request }) => link.answerLink(name, request), open('followLink'))
    .post('/s/:id', link.consume, open('consumeLink'))

    .post('/paste/delete', paste.deletion.erase, shared('postPasteDeletion'))
    .delete('/paste/delete', paste.deletion.erase, shared('deletePaste'))
    .get('/paste/delete', paste.deletion.show, shared('showPasteDeletion'))
    .post('/shortener/delete', link.deletion.erase, shared('postLinkDeletion'))
    .delete('/shortener/delete', link.deletion.erase, shared('deleteLink'))
    .get('/shortener/delete', link.deletion.show, shared('showLinkDeletion'))

/** What a key does with the items that it created. */
const addOwned = (routes: Base, { paste, link }: Handlers) =>
  routes
    .get('/key', showKey, { ...api('getKey'), owner: true })
    .get('/pastes', paste.own.list, { ...api('listOwnPastes'), owner: true })
    .get('/pastes/:id', paste.own.show, { ...api('getOwnPaste'), owner: true })
    .patch('/pastes/:id', paste.own.change, { ...api('changePaste'), change: 'paste' })
    .delete('/pastes/:id', paste.own.erase, { ...api('deleteOwnPaste'), owner: true })
    .get('/pastes/:id/versions', paste.own.versions, { ...api('listPasteVersions'), owner: true })
    .delete('/pastes/:id/versions', paste.own.eraseVersions, { ...api('deletePasteVersions'), owner: true })
    .get('/pastes/:id/versions/:version', paste.own.version, { ...api('getPasteVersion'), owner: true })
    .get('/links', link.own.list, { ...api('listOwnLinks'), owner: true })
    .get('/links/:id', link.own.show, { ...api('getOwnLink'), owner: true })
    .patch('/links/:id', link.own.change, { ...api('changeLink'), change: 'shorten' })
    .delete('/links/:id', link.own.erase, { ...api('deleteOwnLink'), owner: true })
    .get('/links/:id/versions', link.own.versions, { ...api('listLinkVersions'), owner: true })
    .delete('/links/:id/versions', link.own.eraseVersions, { ...api('deleteLinkVersions'), owner: true })
    .get('/links/:id/versions/:version', link.own.version, { ...api('getLinkVersion'), owner: true })

/** @param checkName throws for a name that is reserved for another route */
const addSite = (
  routes: Base,
  { paste, link, home, description, isReady, sharex, toPage, stats, admin, readAsset }: Handlers,
  checkName: (context: { request: Request }) => void,
) => {
  // Runs before the key check.
  const byName = (operationId: string) => ({ ...shared(operationId), transform: checkName })

  routes
    .get('/', home.show, shared('startPage'))
    .post('/', home.post, shared('sendForm'))
    .put('/', paste.upload, { ...shared('uploadText'), upload: true })

    .get('/admin', admin, open('showAdmin'))
    .get('/stats', stats, { ...api('readStats'), owner: true })

    .get('/qr/p/:id', paste.qr, open('pasteQrCode'))
    .get('/qr/s/:id', link.qr, open('linkQrCode'))
    .get('/assets/:name', readAsset, open('readAsset'))
    .get('/openapi.json', description.json, open('readDescription'))
    .get('/docs', description.page, open('readDocs'))
    .get('/healthz', isAlive, open('isAlive'))
    .get('/readyz', isReady, open('isReady'))
    .get('/sharex/paste.sxcu', sharex.paste, open('sharexPastes'))
    .get('/sharex/link.sxcu', sharex.link, open('sharexLinks'))
    .get('/share/:name', toPage, open('findShared'))
    .get('/:name', toPage, byName('findByName'))
    .put('/:name', paste.upload, { ...byName('uploadFile'), upload: true })
}

const createRoutes = (parts: AppParts, handlers: Handlers, checkName: Parameters<typeof addSite>[2]) => {
  const routes = createBase(parts)
  addSite(routes, handlers, checkName)
  addItems(routes, handlers)
  addOwned(routes, handlers)
  return routes
}

export type App = {
  fetch: Fetch
  /** Answered by Bun's own router, before `fetch`. */
  fastPath: FastPath
  routes: readonly Route[]
}

const withoutBody = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS'])

/** Builds the HTTP application. */
export const createApp = (parts: AppParts): App => {
  const { pastes, links, servedAt, around } = parts
  const handlers = createHandlers(parts, () => app.routes)
  let list: RouteList
  const onError = createErrorResponse(
    parts.log,
    prefixOf(servedAt[0]),
    parts.siteAt,
    (path) => list.at(path)?.isApi === true,
  )
  const isBurningPaste = async (name: string) => pastes.isBurning(await pastes.find(name))
  const isBurningLink = async (name: string) => links.isBurning(await links.find(name))
  const burning = { '/p/:id': isBurningPaste, '/p/raw/:id': isBurningPaste, '/s/:id': isBurningLink }
  const noRoute = guarded((request: Request) => createNoRoute(list, burning)(request), onError)
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
      error instanceof NotFoundError ? noRoute(request, undefined) : onError(error, request),
    )
    .mapResponse(({ request, responseValue }) => {
      if (request.method !== 'HEAD' || !(responseValue instanceof Response)) return
      answersToHead.set(request, responseValue)
      return new Response(null)
    })
    .use(
      createRoutes(parts, handlers, ({ request }) => {
        if (!list.at(pathOf(request))?.isCatchAll) throw new NotFoundError()
      }),
    )
  list = createRouteList(app.routes)

  const route: Fetch = (request, server) => {
    app.server = server
    const response = app.fetch(request)
    if (request.method !== 'HEAD') return response
    return Promise.resolve(response).then((headers) => answersToHead.get(request) ?? headers)
  }
  const prefixes = prefixesOf(...servedAt)
  const { paste, link, diff } = handlers
  const reads = { '/s/:id': link.answerLink, '/p/raw/:id': paste.answerRaw, '/p/:id': paste.answerPaste }
  return {
    fetch: around(
      underPrefixes(guarded(route, onError), prefixes, list),
      (request) => list.findAny(pathOf(request)) ?? 'none',
    ),
    fastPath: createFastPath(
      { ...reads, '/diff/:id/:other': diff.answerDiff },
      { prefixes: fastPrefixes(prefixes, list.isReserved), onError, around },
    ),
    routes: app.routes,
  }
}
