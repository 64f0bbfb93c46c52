import { Elysia } from 'elysia'
import { notFound } from './errors.ts'
import type { Log } from './log.ts'
import { assetRoutes } from './routes/assets.ts'
import { type DeletionRoutesParts, deletionRoutes } from './routes/deletions.ts'
import { createErrorResponse } from './routes/errors.ts'
import { type HealthRoutesParts, healthRoutes } from './routes/health.ts'
import { type HomeRoutesParts, homeRoutes } from './routes/home.ts'
import { linkPages } from './routes/link-pages.ts'
import { type LinkRoutesParts, linkRoutes } from './routes/links.ts'
import { checkHost } from './routes/origin.ts'
import { type PastePagesParts, pastePages } from './routes/paste-pages.ts'
import { type PasteRoutesParts, pasteRoutes } from './routes/pastes.ts'
import { type QrRoutesParts, qrRoutes } from './routes/qr.ts'

export type AppParts = HomeRoutesParts &
  PasteRoutesParts &
  LinkRoutesParts &
  PastePagesParts &
  DeletionRoutesParts &
  QrRoutesParts &
  HealthRoutesParts & { log: Log }

/** Larger than any limit of ours: over its own, Bun answers an empty 413 before a route is asked. */
const maxRequestBodySize = Number.MAX_SAFE_INTEGER

/** The HTTP surface. */
export const createApp = (parts: AppParts) => {
  const errorResponse = createErrorResponse(parts.log)
  return new Elysia({
    // A host under four characters (`http://nas/`) would cut the path at the wrong place.
    handler: { standardHostname: false },
    // A second server on the same port would silently take half of the requests.
    serve: { reusePort: false, development: false, maxRequestBodySize },
  })
    .onError(({ error, request }) => errorResponse(error, request))
    .onRequest(({ request }) => checkHost(request))

    .use(homeRoutes(parts)) //      GET, POST /
    .use(pasteRoutes(parts)) //     POST /paste
    .use(linkRoutes(parts)) //      POST /shortener
    .use(deletionRoutes(parts)) //  GET, POST, DELETE /paste/delete, /shortener/delete
    .use(pastePages(parts)) //      GET /p/:id, /p/raw/:id
    .use(linkPages(parts)) //       GET /s/:id, /s/:id+
    .use(qrRoutes(parts)) //        GET /qr/p/:id, /qr/s/:id
    .use(assetRoutes()) //          GET /assets/:name
    .use(healthRoutes(parts)) //    GET /healthz, /readyz

    .all('/*', () => {
      throw notFound('There is nothing at this address')
    })
}
