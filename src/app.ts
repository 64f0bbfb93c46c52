import { Elysia } from 'elysia'
import { assetRoutes } from './http/assets.ts'
import { checkHost } from './http/edge/origin.ts'
import { prefixesOf, prefixOf, underPrefixes } from './http/edge/sub-path.ts'
import { createErrorResponse } from './http/errors.ts'
import { createHotLane } from './http/hot-lane.ts'
import type { Fetch } from './http/listen.ts'
import { answerToHead } from './http/resource.ts'
import { createRouteTable, type Route, type RouteTable } from './http/route-table.ts'
import type { Log } from './log.ts'
import { type DeletionRoutesParts, deletionRoutes } from './routes/items/deletions.ts'
import { type OwnItemRoutesParts, ownItemRoutes } from './routes/items/own-items.ts'
import { type QrRoutesParts, qrRoutes } from './routes/items/qr.ts'
import { createLinkAnswers, type LinkAnswersParts } from './routes/links/link-answers.ts'
import { linkPages } from './routes/links/link-pages.ts'
import { type LinkRoutesParts, linkRoutes } from './routes/links/links.ts'
import { type HasteRoutesParts, hasteRoutes } from './routes/pastes/haste.ts'
import { createLimitedPaste } from './routes/pastes/limited-paste.ts'
import { createPasteAnswers, type PasteAnswersParts } from './routes/pastes/paste-answers.ts'
import { pastePages } from './routes/pastes/paste-pages.ts'
import { type PasteRoutesParts, pasteRoutes } from './routes/pastes/pastes.ts'
import { nothingHere } from './routes/pastes/uploads.ts'
import { type DescriptionRoutesParts, descriptionRoutes } from './routes/site/description.ts'
import { type HealthRoutesParts, healthRoutes } from './routes/site/health.ts'
import { type HomeRoutesParts, homeRoutes } from './routes/site/home.ts'
import { type KeyRoutesParts, keyRoutes } from './routes/site/key.ts'
import { type RootNamesParts, rootNames } from './routes/site/root-names.ts'
import { type SharexRoutesParts, sharexRoutes } from './routes/site/sharex.ts'

export type AppParts = HomeRoutesParts &
  PasteRoutesParts &
  LinkRoutesParts &
  LinkAnswersParts &
  PasteAnswersParts &
  DeletionRoutesParts &
  QrRoutesParts &
  RootNamesParts &
  HasteRoutesParts &
  SharexRoutesParts &
  OwnItemRoutesParts &
  KeyRoutesParts &
  DescriptionRoutesParts &
  HealthRoutesParts & {
    log: Log
    /** Addresses whose paths a proxy may leave on; the first is that of the pages. */
    servedAt: readonly [publicUrl: string | undefined, baseUrl: string | undefined]
    /** Puts around everything what settings ask for: the log of requests, metrics. */
    around: (fetch: Fetch, routes: RouteTable) => Fetch
  }

/** The HTTP surface. */
export const createApp = (parts: AppParts): { fetch: Fetch; routes: readonly Route[] } => {
  const errorResponse = createErrorResponse(parts.log, prefixOf(parts.servedAt[0]))
  const linkAnswers = createLinkAnswers(parts)
  const pasteAnswers = createPasteAnswers(parts)
  const limitedPaste = createLimitedPaste(parts)

  // A host under four characters (`http://nas/`) would cut the path at the wrong place.
  const app = new Elysia({ handler: { standardHostname: false } })
    .onError(({ error, request }) => errorResponse(error, request))
    .onRequest(({ request }) => checkHost(request))

    .use(homeRoutes(parts)) //                      GET, POST, PUT /
    .use(pasteRoutes(parts)) //                     POST /paste
    .use(linkRoutes(parts)) //                      POST /shortener
    .use(deletionRoutes(parts)) //                  GET, POST, DELETE /paste/delete, /shortener/delete
    .use(pastePages(parts.pastes, pasteAnswers, limitedPaste)) // GET, POST /p/:id, /p/raw/:id
    .use(linkPages(parts.links, linkAnswers)) //    GET, POST /s/:id; GET /s/:id+
    .use(qrRoutes(parts)) //                        GET /qr/p/:id, /qr/s/:id
    .use(assetRoutes()) //                          GET /assets/:name
    .use(descriptionRoutes(parts)) //               GET /openapi.json, /docs
    .use(healthRoutes(parts)) //                    GET /healthz, /readyz
    .use(hasteRoutes(parts, pasteAnswers)) //       POST /documents, GET /documents/:id, /raw/:id
    .use(ownItemRoutes(parts)) //                   GET /pastes, /links; GET, DELETE /pastes/:id, /links/:id
    .use(keyRoutes(parts)) //                       GET /key
    .use(sharexRoutes(parts)) //                    GET /sharex/paste.sxcu, /sharex/link.sxcu
    .use(rootNames(parts)) //                       GET, PUT /:name, GET /share/:name

    .all('/*', ({ request }) => {
      throw nothingHere(request)
    })

  const hot = createHotLane({ 's/': linkAnswers.hot, 'p/raw/': pasteAnswers.hotRaw, 'p/': pasteAnswers.hot })
  const head = async (request: Request) => {
    const response = await app.fetch(request)
    return answerToHead(request) ?? response
  }
  const fetch: Fetch = (request, server) => {
    const answer = hot(request)
    if (answer) return answer
    app.server = server
    return request.method === 'HEAD' ? head(request) : app.fetch(request)
  }
  const table = createRouteTable(app.routes)
  return {
    fetch: parts.around(underPrefixes(fetch, prefixesOf(...parts.servedAt), table), table),
    routes: app.routes,
  }
}
