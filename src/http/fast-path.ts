import type { BunRequest } from 'bun'
import { LRUCache } from 'lru-cache'
import { malformed } from '../errors.ts'
import type { Fetch } from './listen.ts'

/**
 * Answers for a name in the path: at once when all is in memory, else with a promise. Throws or rejects with an `AppError`.
 * @param other the second name of a path with two
 */
export type Answer = (name: string, request: Request, other?: string) => Response | Promise<Response>

/** The one place that turns an error of a handler into an error response. */
export type OnError = (error: unknown, request: Request) => Response

/** Wraps a handler so that it never fails. There is no `await`: an answer from memory is sent in the same turn. */
export const guarded =
  <R extends Request, S>(handle: (request: R, server: S) => Response | Promise<Response>, onError: OnError) =>
  (request: R, server: S) => {
    try {
      const response = handle(request, server)
      return response instanceof Promise ? response.catch((error) => onError(error, request)) : response
    } catch (error) {
      return onError(error, request)
    }
  }

const hostShape = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/** A name of 253 characters (RFC 1035), a colon and a port. */
const longestHost = 259

/** True for a host that works in an address: `999.999.999.999` and `nas:99999` look right, but do not. */
export const isHost = (host: string) =>
  host.length <= longestHost && hostShape.test(host) && URL.canParse(`http://${host}`)

/** Hosts known to be well-formed. A server has few names, and parsing one takes a tenth of the time of a redirect. */
const knownHosts = new LRUCache<string, true>({ max: 100 })

/** @throws {AppError} `malformed` for a `Host` that is missing or names no host */
export const checkHost = (request: Request) => {
  const host = request.headers.get('host') ?? ''
  if (knownHosts.has(host)) return
  if (!isHost(host)) throw malformed('The Host header is missing or malformed')
  knownHosts.set(host, true)
}

/** Drops a body that nobody reads: 100 bodies of 6 MB held 170 MB while their responses were made. */
export const discardBody = ({ body }: Request) => void body?.cancel().catch(() => {})

export type FastPathParts = {
  /** Where the service is served: sub-paths, and an empty string for the root. */
  prefixes: readonly string[]
  onError: OnError
  around: (fetch: Fetch, routeOf: () => string) => Fetch
}

/**
 * Handlers for Bun's own router, which runs before Elysia. Elysia's router and handler wrapper take 4 µs, a third of the
 * time of a redirect. Other methods and spellings go on to `fetch`, whose routes call the same functions.
 */
export const createFastPath = (
  answers: Readonly<Record<string, Answer>>,
  { prefixes, onError, around }: FastPathParts,
) => {
  const mount = ([path, answer]: readonly [string, Answer]) => {
    const read = (request: Request) => {
      checkHost(request)
      const { id, other } = (request as BunRequest<'/:id'>).params as { id: string; other?: string }
      const response = answer(id, request, other)
      if (response instanceof Promise) discardBody(request)
      return response
    }
    const GET = around(guarded(read, onError), () => path)
    return prefixes.map((prefix) => [prefix + path, { GET }] as const)
  }
  return Object.fromEntries(Object.entries(answers).flatMap(mount))
}
