import { isIP } from 'node:net'
import type { BunRequest } from 'bun'
import { LRUCache } from 'lru-cache'
import { malformed, unusableAddress } from '../errors.ts'

/** Above all our limits: over its own, Bun sends an empty 413 before any route runs. */
const maxRequestBodySize = Number.MAX_SAFE_INTEGER

/**
 * A connection may be silent for this long. Bun also closes one that sends less than 16 KiB a second for as long; `body.ts`
 * lifts that for senders with a key.
 */
export const idleSeconds = 30

/** Answers one request; never rejects. */
export type Fetch = (request: Request, server: Bun.Server<undefined>) => Response | Promise<Response>

/** Handlers for Bun's own router, by path. */
export type FastPath = Readonly<Record<string, { GET: Fetch }>>

/** Listens for HTTP. @throws Bun's error when the port is taken or may not be used */
export const listen = (hostname: string, port: number, fetch: Fetch, routes: FastPath = {}) =>
  Bun.serve({
    hostname,
    port,
    fetch,
    routes,
    maxRequestBodySize,
    idleTimeout: idleSeconds,
    development: false,
    // A second server on the same port would silently take half of the requests.
    reusePort: false,
  })

/** Where something listens, as a setting names it. */
export type Place = { host: string; port: number }

/** Why nothing can listen there, and what to choose. @param change what sets the host and the port */
export const listenProblem = (
  error: unknown,
  { host, port }: Place,
  change: Readonly<Record<keyof Place, string>>,
): string => {
  const { code, message } = error as { code?: string; message: string }
  if (code === 'EADDRINUSE') return `port ${port} on ${host} is in use; choose another with ${change.port}`
  if (code === 'EACCES') return `port ${port} needs more rights; choose one above 1023 with ${change.port}`
  const advice = `choose one of its own with ${change.host}`
  // Of a name that leads nowhere, Bun has the code of an error before, or none.
  if (!isIP(host)) return `${host} does not lead to an address of this machine; ${advice}`
  if (code === 'EADDRNOTAVAIL') return `this machine does not have the address ${host}; ${advice}`
  return `cannot listen on ${host} port ${port}: ${message}`
}

const unlessRefused = <T>(start: () => T, problemOf: (error: unknown) => string) => {
  try {
    return start()
  } catch (error) {
    throw unusableAddress(problemOf(error))
  }
}

/** Starts the listener of the pages. @throws {AppError} `unusable-address` */
export const listenForPages = <T>(place: Place, start: () => T) =>
  unlessRefused(start, (error) =>
    listenProblem(error, place, { host: '--host, or 0.0.0.0 for all', port: '--port' }),
  )

/** Starts a listener beside that of the pages. @param purpose ends "cannot". @throws {AppError} `unusable-address` */
export const listenBeside = <T>(place: Place, purpose: string, flag: string, start: () => T) =>
  unlessRefused(
    start,
    (error) => `cannot ${purpose}: ${listenProblem(error, place, { host: flag, port: flag })}`,
  )

/**
 * Answers for a name in the path: at once when all is in memory, else with a promise. Throws or rejects with an `AppError`.
 * @param other the second name of a path with two
 */
export type AnswerByName = (name: string, request: Request, other?: string) => Response | Promise<Response>

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
  routes: readonly { path: string; answer?: AnswerByName }[],
  { prefixes, onError, around }: FastPathParts,
) => {
  const mount = ({ path, answer }: { path: string; answer?: AnswerByName }) => {
    if (!answer) return []
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
  return Object.fromEntries(routes.flatMap(mount))
}
