import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from '../../log.ts'
import type { Fetch } from '../listen.ts'
import type { Origin } from './origin.ts'

/** One answered request, without anything that says which item it was for. */
export type Access = {
  method: string
  /** The template of the route, such as `/p/:id`; `none` where there is no route. */
  route: string
  status: number
  milliseconds: number
}

export type AccessLogParts = {
  /** Whether each request is logged. */
  isLogged: boolean
  log: Log
  makeId: () => string
  origin: Pick<Origin, 'isTrusted'>
  /** Milliseconds of a clock that never goes back. */
  monotonic: () => number
  /** Counts each request, where metrics are asked for. */
  count: ((access: Access) => void) | undefined
}

export type AccessLog = {
  /** Goes around every request; by default it is not there at all. */
  around: (fetch: Fetch, routeOf: (request: Request) => string) => Fetch
  /** The log for what happens inside a request. */
  requestLog: Log
}

/** Clients may send any method; what is counted by it must have an end. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** What proxies make: UUIDs, hexadecimal, base64. Nothing else comes into the log. */
const idShape = /^[\w.:=+/-]{8,100}$/

const createRequestIds = ({ makeId, origin, log }: AccessLogParts) => {
  const current = new AsyncLocalStorage<string>()
  /** Gives each request an id, or leaves it the one of a trusted proxy, and says it in `X-Request-Id`. */
  const withId =
    (inner: Fetch): Fetch =>
    async (request, server) => {
      const sent = request.headers.get('x-request-id') ?? ''
      const id = idShape.test(sent) && origin.isTrusted({ request, server }) ? sent : makeId()
      const response = await current.run(id, async () => inner(request, server))
      response.headers.set('X-Request-Id', id)
      return response
    }
  /** Adds the id of the request in which something is logged. */
  const requestLog: Log = (level, event, fields = {}) => {
    const requestId = current.getStore()
    log(level, event, requestId === undefined ? fields : { ...fields, requestId })
  }
  return { withId, requestLog }
}

/** What settings ask to be known of every request. */
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
      // Not before: a prefix has been taken off by now.
      const access = { method, route: routeOf(request), status: response.status, milliseconds }
      count?.(access)
      if (isLogged) write(access)
      return response
    }

  if (!isLogged) return { requestLog: parts.log, around: observed }
  return { requestLog, around: (fetch, routeOf) => withId(observed(fetch, routeOf)) }
}
