import { Elysia } from 'elysia'
import { type AppError, methodNotAllowed } from '../errors.ts'

type Server = { requestIP: (request: Request) => { address: string } | null }

/** What a handler may use of Elysia's context. */
export type RequestContext = {
  request: Request
  /** `null` for what is no percent-encoding of UTF-8. */
  params: Readonly<Record<string, string | null>>
  server: Server | null
}
export type Handler = (context: RequestContext) => Response | Promise<Response>
export type Methods = { get?: Handler; post?: Handler; put?: Handler; delete?: Handler; options?: Handler }

/** The value of `Allow` for these methods. */
export const allowOf = (methods: Methods) =>
  Object.keys(methods)
    .flatMap((name) => (name === 'get' ? ['GET', 'HEAD'] : [name.toUpperCase()]))
    .join(', ')

// The body is read by the handler itself: its size is judged before its shape, and the key before both.
const options = { parse: 'none' } as never

/** A body that nobody reads: 100 of 6 MB held 170 MB while their answers were made. */
export const discardBody = ({ body }: Request) => void body?.cancel().catch(() => {})

const withoutBody = new Set(['get', 'delete', 'options'])

/** Elysia leaves `params` out where the path has none. */
type ElysiaContext = Omit<RequestContext, 'params'> & { params?: RequestContext['params'] }

/** What was answered to each `HEAD`. Elysia would read its whole body to count it, and hold up others by 10 MB. */
const answersToHead = new WeakMap<Request, Response>()

/** The answer of a resource to a `HEAD`, whose body nobody reads; `undefined` where none of them answered. */
export const answerToHead = (request: Request) => answersToHead.get(request)

/**
 * The methods of a path; `GET` brings `HEAD` with it, every other method gets 405 with `Allow`.
 * @param allowAt what `Allow` says, where it depends on the item
 */
export const resource = (
  path: string,
  methods: Methods,
  allowAt: (params: RequestContext['params']) => string | Promise<string> = () => allowOf(methods),
) => {
  const routes = new Elysia()
  for (const [name, handler] of Object.entries(methods)) {
    // Elysia guesses from a handler's source whether it may reject, and misses some unless it is declared async;
    // for one that passes its whole context on it parses query and cookies, which takes 3 µs.
    const caught = async ({ request, params, server }: ElysiaContext) => {
      if (withoutBody.has(name)) discardBody(request)
      const response = await handler({ request, params: params ?? {}, server })
      if (request.method !== 'HEAD') return response
      answersToHead.set(request, response)
      return new Response(null)
    }
    routes.route(name.toUpperCase(), path, caught as never, options)
  }
  return routes.all(
    path,
    (async ({ params }: ElysiaContext) => {
      throw methodNotAllowed(await allowAt(params ?? {}))
    }) as never,
    options,
  )
}

/**
 * A path that also fits the paths of other resources, and leaves them alone: Elysia looks for a route of the very method
 * first, so one for `PUT /:name` would stand before the 405 of `/paste`.
 * @param refuse what a request of another method gets
 */
export const lastResource = (path: string, methods: Methods, refuse: (request: Request) => AppError) =>
  new Elysia().all(
    path,
    (async ({ request, params, server }: ElysiaContext) => {
      const name = request.method === 'HEAD' ? 'get' : request.method.toLowerCase()
      const handler = methods[name as keyof Methods]
      if (!handler) throw refuse(request)
      return handler({ request, params: params ?? {}, server })
    }) as never,
    options,
  )
