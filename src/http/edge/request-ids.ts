import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from '../../log.ts'
import type { Fetch } from '../listen.ts'
import type { Origin } from './origin.ts'

export type RequestIdParts = { makeId: () => string; isTrusted: Origin['isTrusted'] }

export type RequestIds = {
  /** Gives each request an id, or leaves it the one of a trusted proxy, and says it in `X-Request-Id`. */
  wrap: (inner: Fetch) => Fetch
  /** Adds the id of the request in which something is logged. */
  tag: (log: Log) => Log
}

/** What proxies make: UUIDs, hexadecimal, base64. Nothing else comes into the log. */
const shape = /^[\w.:=+/-]{8,100}$/

export const createRequestIds = ({ makeId, isTrusted }: RequestIdParts): RequestIds => {
  const current = new AsyncLocalStorage<string>()
  return {
    wrap: (inner) => async (request, server) => {
      const sent = request.headers.get('x-request-id') ?? ''
      const id = shape.test(sent) && isTrusted({ request, server }) ? sent : makeId()
      const response = await current.run(id, async () => inner(request, server))
      response.headers.set('X-Request-Id', id)
      return response
    },
    tag:
      (log) =>
      (level, event, fields = {}) => {
        const requestId = current.getStore()
        log(level, event, requestId === undefined ? fields : { ...fields, requestId })
      },
  }
}
