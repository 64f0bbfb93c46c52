import type { KeyHolder } from '../services/keys.ts'

type Server = { requestIP: (request: Request) => { address: string } | null }

/** What a handler may use of Elysia's context. */
export type RequestContext = { request: Request; server: Server | null }
/** `name` is the parameter of the path. */
export type NamedContext = RequestContext & { name: string }
/** `holder` is whose key the request brought: the route says `key` or `owner`. */
export type KeyedContext = RequestContext & { holder: KeyHolder }

/** A route as Elysia lists it. */
export type Route = {
  method: string
  path: string
  hooks?: { detail?: { operationId?: string; 'x-cors'?: boolean; 'x-api'?: boolean } }
}

/** Why `parse: 'none'`: a handler reads its body itself, after the key was checked. */
const hookOf = <F extends object>(operationId: string, flags: F) => ({
  parse: 'none' as const,
  detail: { operationId, ...flags },
})

/** What stands beside a handler. Made for each route and app: Elysia writes into it. */
export const open = (operationId: string) => hookOf(operationId, {})
/** Web pages of any origin may use it: there is no cookie, so nothing but a key or a link permits. */
export const shared = (operationId: string) => hookOf(operationId, { 'x-cors': true })
/** Only programs use it: none of its errors is a page. */
export const api = (operationId: string) => hookOf(operationId, { 'x-cors': true, 'x-api': true })

/** The path of a request; Bun takes requests whose address cannot be parsed. */
export const pathOf = (request: Request) => URL.parse(request.url)?.pathname ?? '/'

const segmentsOf = (pathname: string) => pathname.split('/').slice(1)
const isParameter = (segment: string) => segment.startsWith(':')

const isMatch = (template: readonly string[], segments: readonly string[]) =>
  template.length === segments.length &&
  template.every((part, at) => (isParameter(part) ? segments[at] !== '' : part === segments[at]))

/** Elysia takes `/paste/` for `/paste`. */
const withoutLastSlash = (pathname: string) => (/[^/]\/$/.test(pathname) ? pathname.slice(0, -1) : pathname)

const withHead = (method: string) => (method === 'GET' ? ['GET', 'HEAD'] : [method])

const entryOf = (path: string, routes: readonly Route[]) => ({
  path,
  segments: segmentsOf(path),
  /** In the order in which the routes are listed. */
  methods: routes.flatMap(({ method }) => withHead(method)),
  isShared: routes.some(({ hooks }) => hooks?.detail?.['x-cors']),
  isApi: routes.some(({ hooks }) => hooks?.detail?.['x-api']),
  /** It fits every word: of all other methods there is nothing here. */
  isCatchAll: path.startsWith('/:'),
})
export type RouteEntry = ReturnType<typeof entryOf>

/** What the app answers: the one list that 405, preflights, reserved names, sub-paths and the access log ask. */
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
    /** True for what one of our paths begins with. */
    isReserved: (segment: string) => reserved.has(segment),
    /** The most specific template here. */
    at,
    /** The route here, by its template (`/p/:id`), whatever the method. */
    findAny: (pathname: string) => at(pathname)?.path,
    /** The route that answers this method here. */
    find: (method: string, pathname: string) => {
      const entry = at(pathname)
      return entry && (entry.isCatchAll || entry.methods.includes(method)) ? entry.path : undefined
    },
  }
}
export type RouteList = ReturnType<typeof createRouteList>
