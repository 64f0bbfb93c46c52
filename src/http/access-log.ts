import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from '../log.ts'
import type { Fetch } from './listen.ts'
import type { Origin } from './origin.ts'

/** One answered request, without anything that identifies the item. */
export type Access = {
  method: string
  /** The template of the route, such as `/p/:id`; `none` where there is no route. */
  route: string
  status: number
  milliseconds: number
}

export type AccessLogParts = {
  /** True with `--access-log`: each request is logged. */
  isLogged: boolean
  log: Log
  makeId: () => string
  origin: Pick<Origin, 'isTrusted'>
  /** A clock that never goes back, in milliseconds. */
  monotonic: () => number
  /** Counts each request; only with `--metrics`. */
  count: ((access: Access) => void) | undefined
}

export type AccessLog = {
  /** Wraps every request; without these settings it adds nothing. */
  around: (fetch: Fetch, routeOf: (request: Request) => string) => Fetch
  /** The log for events inside a request. */
  requestLog: Log
}

/** Clients may send any method, but a metric needs a fixed set of them. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The ids that proxies make: UUIDs, hexadecimal, base64. Nothing else gets into the log. */
const idShape = /^[\w.:=+/-]{8,100}$/

const createRequestIds = ({ makeId, origin, log }: AccessLogParts) => {
  const current = new AsyncLocalStorage<string>()
  /** Gives each request an id, or keeps the id from a trusted proxy, and sends it in `X-Request-Id`. */
  const withId =
    (inner: Fetch): Fetch =>
    async (request, server) => {
      const sent = request.headers.get('x-request-id') ?? ''
      const id = idShape.test(sent) && origin.isTrusted({ request, server }) ? sent : makeId()
      const response = await current.run(id, async () => inner(request, server))
      response.headers.set('X-Request-Id', id)
      return response
    }
  /** Adds the id of the current request to a log line. */
  const requestLog: Log = (level, event, fields = {}) => {
    const requestId = current.getStore()
    log(level, event, requestId === undefined ? fields : { ...fields, requestId })
  }
  return { withId, requestLog }
}

/** Creates the access log and the counting of requests, as far as the settings ask for them. */
export const createAccessLog = (parts: AccessLogParts): AccessLog => {
  const { isLogged, monotonic, count } = parts
  if (!isLogged && !count) return { requestLog: parts.log, around: (fetch) => fetch }
  const { withId, requestLog } = createRequestIds(parts)
  const write = ({ method, route, status, milliseconds }: Access) =>
    requestLog('info', 'request', { method, route, status, ms: Math.round(milliseconds * 10) / 10 })

  const observed =
    (inner: Fetch, routeOf: (request: Request) => string): Fetch =>
    async (request, server) => {
      const began = monotonic()
      const response = await inner(request, server)
      const milliseconds = monotonic() - began
      const method = methods.has(request.method) ? request.method : 'other'
      // Read now: the prefix was removed from the path while the request was handled.
      const access = { method, route: routeOf(request), status: response.status, milliseconds }
      count?.(access)
      if (isLogged) write(access)
      return response
    }

  if (!isLogged) return { requestLog: parts.log, around: observed }
  return { requestLog, around: (fetch, routeOf) => withId(observed(fetch, routeOf)) }
}
