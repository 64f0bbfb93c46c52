import { methodNotAllowed, notFound } from '../errors.ts'
import type { KeyHolder } from '../services/keys.ts'
import { commonHeaders, openHeaders, redirectHeaders } from './answers.ts'
import type { AnswerByName, Fetch } from './listen.ts'

/** A browser asks this before a page of another origin sends a key. Firefox caches it for a day, Chromium for two hours. */
const preflight = (allow: string) => {
  const headers = {
    ...commonHeaders,
    ...openHeaders,
    // A wildcard would not cover `Authorization` (Fetch, CORS protocol).
    'Access-Control-Allow-Headers': 'key, x-api-key, content-type, authorization, if-match',
    'Access-Control-Max-Age': '86400',
    Allow: allow,
    'Access-Control-Allow-Methods': allow,
  }
  return new Response(null, { status: 204, headers })
}

/** The error for a path without a route. */
export const nothingHere = ({ method }: Request) =>
  notFound(
    method === 'PUT'
      ? 'A file is uploaded to a name without slashes: PUT /name.py'
      : 'There is nothing at this address',
  )

/** True when the item with this name burns after reading. Rejects when there is no such item. */
export type IsBurning = (name: string) => Promise<boolean>

const nameIn = (pathname: string) => {
  try {
    return decodeURIComponent(pathname.replace(/\/$/, '').split('/').at(-1) ?? '')
  } catch {
    return ''
  }
}

/** Answers a request without a route: a preflight, 405 with `Allow`, or 404. */
export const createNoRoute = (routes: RouteList) => {
  const allowAt = async ({ methods, isShared, isBurning }: RouteEntry, pathname: string) => {
    const always = isBurning ? methods.filter((method) => method !== 'POST') : methods
    // A missing or damaged item allows what every item allows: this answer is about the method.
    const takesPost = isBurning && (await isBurning(nameIn(pathname)).catch(() => false))
    return [...always, ...(isShared ? ['OPTIONS'] : []), ...(takesPost ? ['POST'] : [])].join(', ')
  }

  return async (request: Request) => {
    const pathname = pathOf(request)
    const route = routes.at(pathname)
    const isPreflight = request.method === 'OPTIONS' && route?.isShared
    if (!route || (route.isCatchAll && !isPreflight)) throw nothingHere(request)
    const allow = await allowAt(route, pathname)
    if (isPreflight) return preflight(allow)
    throw methodNotAllowed(allow)
  }
}

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

/** What a handler of the table gets. */
export type RouteContext = NamedContext & { params: Readonly<Record<string, string | null>> }
export type Handle = (context: RouteContext) => Response | Promise<Response>

/** What the description needs to know of a route. */
export type RouteFacts = {
  method: string
  path: string
  operationId: string
  /** Web pages of any origin may call it. There are no cookies: access needs a key or a link. */
  isShared?: boolean
  /** Only programs call it, so its errors are never pages. */
  isApi?: boolean
}

/** A row of the table of routes. */
export type Route = RouteFacts & {
  handle: Handle
  /** Mounted on the fast path, too. */
  answer?: AnswerByName
  /** For `POST` that only items take that burn after reading. */
  isBurning?: IsBurning
}

const routeRowOf =
  (facts: Pick<RouteFacts, 'isShared' | 'isApi'>) =>
  (place: string, operationId: string, how: Handle | Omit<Route, keyof RouteFacts>): Route => {
    const [method = '', path = ''] = place.split(' ')
    return { method, path, operationId, ...facts, ...(typeof how === 'function' ? { handle: how } : how) }
  }
export const open = routeRowOf({})
export const shared = routeRowOf({ isShared: true })
export const api = routeRowOf({ isShared: true, isApi: true })

export const isFast = true
/** A row that reads a name. @param isFast it is mounted on the fast path, too */
export const reading = (answer: AnswerByName, isOnFastPath = false) => ({
  handle: ({ name, request, params }: RouteContext) => answer(name, request, params.other ?? ''),
  ...(isOnFastPath && { answer }),
})

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

/** What the list reads of a route. */
type Listed = Pick<Route, 'method' | 'path'> & Partial<Route>

const entryOf = (path: string, routes: readonly Listed[]) => ({
  path,
  segments: segmentsOf(path),
  /** In the order of the routes. */
  methods: routes.flatMap(({ method }) => withHead(method)),
  isBurning: routes.find((route) => route.isBurning)?.isBurning,
  isShared: routes.some((route) => route.isShared),
  isApi: routes.some((route) => route.isApi),
  /** It matches every word, so other methods get 404, not 405. */
  isCatchAll: path.startsWith('/:'),
})
export type RouteEntry = ReturnType<typeof entryOf>

/** The routes of the app: the one list for 405, preflights, reserved names, sub-paths and the access log. */
export const createRouteList = (routes: readonly Listed[]) => {
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

/** The path of an address without its last slash; empty for the root and for no address. */
export const prefixOf = (address: string | undefined) =>
  address ? new URL(address).pathname.replace(/\/+$/, '') : ''

/** The sub-paths in the settings, longest first; the root is none. */
export const prefixesOf = (...addresses: readonly (string | undefined)[]): readonly string[] => {
  const paths = addresses.map(prefixOf).filter((path) => path !== '')
  return [...new Set(paths)].sort((a, b) => b.length - a.length)
}

type Routes = Pick<RouteList, 'find' | 'findAny'>

/** Where a path leads: to one of our own paths, or, from a prefix without its slash, to a redirect. */
export type Destination = { pathname: string } | { redirect: string }

/** True for a route with a fixed beginning, so not for `/:name`, which matches every word. */
const isNamed = (template: string | undefined) => template !== undefined && !template.startsWith('/:')

/**
 * Removes the prefix that a proxy left on the path; without one the path stays as it is. A prefix may look like our own
 * routes (`/paste`, `/p`), so the routes decide, in this order: the rest of the path, if it answers this method or is a
 * route without parameters (`/p/paste` is no paste: no id has that shape); the whole path, if it is a route; the rest.
 * `/:name` comes after every other route.
 */
export const createPlaces =
  (prefixes: readonly string[], routes: Routes) =>
  (method: string, pathname: string): Destination => {
    const prefix = prefixes.find((one) => pathname === one || pathname.startsWith(`${one}/`))
    if (prefix === undefined) return { pathname }
    const rest = pathname.slice(prefix.length)
    if (rest === '') {
      if (isNamed(routes.findAny(pathname))) return { pathname }
      return method === 'GET' || method === 'HEAD' ? { redirect: `${prefix}/` } : { pathname: '/' }
    }
    const isOurs = isNamed(routes.find(method, rest)) || routes.findAny(rest)?.includes(':') === false
    if (isOurs) return { pathname: rest }
    if (isNamed(routes.find(method, pathname))) return { pathname }
    return { pathname: routes.find(method, rest) || !isNamed(routes.findAny(pathname)) ? rest : pathname }
  }

/**
 * The prefixes of the fast path. There are none if one looks like our own routes (then `createPlaces` decides) or has unusual
 * characters (Bun's router could take it for a pattern).
 */
export const fastPrefixes = (prefixes: readonly string[], isReserved: (segment: string) => boolean) => {
  const isPlain = (prefix: string) => /^(\/[\w.-]+)+$/.test(prefix) && !isReserved(prefix.split('/')[1] ?? '')
  return prefixes.every(isPlain) ? ['', ...prefixes] : []
}

/**
 * Also serves paths that still have the prefix. The address is replaced inside the request, because a copy would lose the
 * client and the length of the body.
 */
export const underPrefixes = (inner: Fetch, prefixes: readonly string[], routes: Routes): Fetch => {
  if (prefixes.length === 0) return inner
  const placeOf = createPlaces(prefixes, routes)
  return (request, server) => {
    const pathname = pathOf(request)
    const place = placeOf(request.method, pathname)
    if ('redirect' in place)
      return new Response(null, { status: 308, headers: { ...redirectHeaders, Location: place.redirect } })
    if (place.pathname !== pathname) {
      const url = new URL(request.url)
      url.pathname = place.pathname
      Object.defineProperty(request, 'url', { value: url.href })
    }
    return inner(request, server)
  }
}
