import { isIP } from 'node:net'
import { unusableAddress } from '../errors.ts'

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
