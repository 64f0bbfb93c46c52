import type { Log } from '../../log.ts'
import type { Fetch } from '../listen.ts'
import type { RouteTable } from '../route-table.ts'
import { observed, type Seen } from './observe.ts'
import type { Origin } from './origin.ts'
import { createRequestIds } from './request-ids.ts'

export type WatchParts = {
  /** Whether each request is logged. */
  isLogged: boolean
  log: Log
  makeId: () => string
  origin: Pick<Origin, 'isTrusted'>
  /** Milliseconds of a clock that never goes back. */
  monotonic: () => number
  /** Counts each request, where metrics are asked for. */
  count: ((seen: Seen) => void) | undefined
}

export type Watch = {
  /** Goes around every request; by default it is not there at all. */
  around: (fetch: Fetch, routes: RouteTable) => Fetch
  /** The log for what happens inside a request. */
  requestLog: Log
}

/** What settings ask to be known of every request. */
export const createWatch = ({ isLogged, log, makeId, origin, monotonic, count }: WatchParts): Watch => {
  if (!isLogged)
    return {
      requestLog: log,
      around: (fetch, routes) => (count ? observed(fetch, routes, monotonic, [count]) : fetch),
    }
  const { wrap, tag } = createRequestIds({ makeId, isTrusted: origin.isTrusted })
  const requestLog = tag(log)
  const write = ({ method, route, status, milliseconds }: Seen) =>
    requestLog('info', 'request', { method, route, status, ms: Math.round(milliseconds * 10) / 10 })
  const observers = count ? [count, write] : [write]
  return { requestLog, around: (fetch, routes) => wrap(observed(fetch, routes, monotonic, observers)) }
}
