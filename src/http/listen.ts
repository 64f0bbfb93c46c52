import { unusableAddress } from '../errors.ts'

/** Above all our limits: over its own, Bun sends an empty 413 before any route runs. */
const maxRequestBodySize = Number.MAX_SAFE_INTEGER

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
    idleTimeout: 30,
    development: false,
    // A second server on the same port would silently take half of the requests.
    reusePort: false,
  })

/** The address of a listener beside that of the pages, as a setting names it. */
export type Beside = { host: string; port: number }

/** Starts such a listener. @param purpose ends "cannot". @throws {AppError} `unusable-address` */
export const listenBeside = <T>({ host, port }: Beside, purpose: string, flag: string, start: () => T) => {
  try {
    return start()
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    const why = code === 'EADDRINUSE' ? 'it is in use' : message
    throw unusableAddress(`cannot ${purpose} on ${host} port ${port}: ${why}; choose another with ${flag}`)
  }
}
