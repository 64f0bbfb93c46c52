import { Elysia } from 'elysia'
import { methodNotAllowed } from '../errors.ts'

type Server = { requestIP: (request: Request) => { address: string } | null }

/** What a handler may use of Elysia's context. */
export type RequestContext = {
  request: Request
  /** `null` for what is no percent-encoding of UTF-8. */
  params: Readonly<Record<string, string | null>>
  server: Server | null
}
export type Handler = (context: RequestContext) => Response | Promise<Response>
export type Methods = { get?: Handler; post?: Handler; delete?: Handler }

/** The methods of a path; `GET` brings `HEAD` with it, every other method gets 405 with `Allow`. */
export const resource = (path: string, methods: Methods) => {
  const names = Object.keys(methods).map((name) => name.toUpperCase())
  const allow = names.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name])).join(', ')
  const routes = new Elysia()
  // The body is read by the handler itself: its size is judged before its shape, and the key before both.
  const options = { parse: 'none' } as never
  for (const [name, handler] of Object.entries(methods)) {
    // Elysia guesses from a handler's source whether it may reject, and misses some unless it is declared async;
    // for one that passes its whole context on it parses query and cookies, which takes 3 µs.
    const caught = async ({ request, params, server }: RequestContext) => handler({ request, params, server })
    routes.route(name.toUpperCase(), path, caught as never, options)
  }
  return routes.all(
    path,
    () => {
      throw methodNotAllowed(allow)
    },
    options,
  )
}
