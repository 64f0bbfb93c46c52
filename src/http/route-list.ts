import type { KeyHolder } from '../services/keys.ts'

type Server = {
  requestIP: (request: Request) => { address: string } | null
  /** Starts the time that the connection may be silent for again. Bun has it, Elysia's type does not say so. */
  timeout?: (request: Request, seconds: number) => void
}

/** The parts of Elysia's context that a handler may use. */
export type RequestContext = { request: Request; server: Server | null }
/** `name` is the parameter of the path. */
export type NamedContext = RequestContext & { name: string }
/** `holder` belongs to the key of the request; the route must say `key` or `owner`. */
export type KeyedContext = RequestContext & { holder: KeyHolder }

/** A route as Elysia lists it. */
export type Route = {
  method: string
  path: string
  hooks?: { detail?: { operationId?: string; 'x-cors'?: boolean; 'x-api'?: boolean } }
}

/** `parse: 'none'`, because a handler reads its body itself, after the key check. */
const hookOf = <F extends object>(operationId: string, flags: F) => ({
  parse: 'none' as const,
  detail: { operationId, ...flags },
})

/** The hook of a route. Each needs a new one, because Elysia writes into it. */
export const open = (operationId: string) => hookOf(operationId, {})
/** Web pages of any origin may call it. There are no cookies: access needs a key or a link. */
export const shared = (operationId: string) => hookOf(operationId, { 'x-cors': true })
/** Only programs call it, so its errors are never pages. */
export const api = (operationId: string) => hookOf(operationId, { 'x-cors': true, 'x-api': true })

/** The path of a request; `/` for an address that cannot be parsed, which Bun lets through. */
export const pathOf = (request: Request) => URL.parse(request.url)?.pathname ?? '/'

const segmentsOf = (pathname: string) => pathname.split('/').slice(1)
const isParameter = (segment: string) => segment.startsWith(':')

const isMatch = (template: readonly string[], segments: readonly string[]) =>
  template.length === segments.length &&
  template.every((part, at) => (isParameter(part) ? segments[at] !== '' : part === segments[at]))

/** Elysia accepts `/paste/` for `/paste`. */
const withoutLastSlash = (pathname: string) => (/[^/]\/$/.test(pathname) ? pathname.slice(0, -1) : pathname)

const withHead = (method: string) => (method === 'GET' ? ['GET', 'HEAD'] : [method])

const entryOf = (path: string, routes: readonly Route[]) => ({
  path,
  segments: segmentsOf(path),
  /** In the order of the routes. */
  methods: routes.flatMap(({ method }) => withHead(method)),
  isShared: routes.some(({ hooks }) => hooks?.detail?.['x-cors']),
  isApi: routes.some(({ hooks }) => hooks?.detail?.['x-api']),
  /** It matches every word, so other methods get 404, not 405. */
  isCatchAll: path.startsWith('/:'),
})
export type RouteEntry = ReturnType<typeof entryOf>

/** The routes of the app: the one list for 405, preflights, reserved names, sub-paths and the access log. */
export const createRouteList = (routes: readonly Route[]) => {
  const parametersIn = ({ segments }: RouteEntry) => segments.filter(isParameter).length
  const entries = [...Map.groupBy(routes, ({ path }) => path)]
    .map(([path, here]) => entryOf(path, here))
    .sort((a, b) => parametersIn(a) - parametersIn(b))
  const at = (pathname: string) => {
    const segments = segmentsOf(withoutLastSlash(pathname))
    return entries.find((entry) => isMatch(entry.segments, segments))
  }
  const reserved = new Set(
    entries.map(({ segments: [first = ''] }) => first).filter((first) => !isParameter(first)),
  )
  return {
    /** True if one of our paths begins with this segment. */
    isReserved: (segment: string) => reserved.has(segment),
    /** The most specific route that matches this path. */
    at,
    /** The template (`/p/:id`) of the route at this path, for any method. */
    findAny: (pathname: string) => at(pathname)?.path,
    /** The template of the route that answers this method at this path. */
    find: (method: string, pathname: string) => {
      const entry = at(pathname)
      return entry && (entry.isCatchAll || entry.methods.includes(method)) ? entry.path : undefined
    },
  }
}
export type RouteList = ReturnType<typeof createRouteList>
