import { redirectHeaders } from '../answers/respond.ts'
import type { Fetch } from '../listen.ts'
import { pathOf, type RouteList } from '../route-list.ts'

/** The path of an address without its last slash; empty for the root and for no address. */
export const prefixOf = (address: string | undefined) =>
  address ? new URL(address).pathname.replace(/\/+$/, '') : ''

/** The paths at which settings say that the service is found, longest first; none for the root. */
export const prefixesOf = (...addresses: readonly (string | undefined)[]): readonly string[] => {
  const paths = addresses.map(prefixOf).filter((path) => path !== '')
  return [...new Set(paths)].sort((a, b) => b.length - a.length)
}

type Routes = Pick<RouteList, 'find' | 'findAny'>

/** What a path stands for: one of our own paths, or a prefix without its slash, from which a reader is sent on. */
export type Place = { pathname: string } | { redirect: string }

/** True for a route that a path must begin like; not for `/:name`, which takes every word. */
const isNamed = (template: string | undefined) => template !== undefined && !template.startsWith('/:')

/**
 * Takes a prefix off a path that has come through a proxy as it was; where the proxy has taken it off, the path stays.
 * A prefix may begin like routes of ours (`/paste`, `/p`), so what decides is which routes there are: the rest of the path
 * wins where it answers this method or is a route without parameters (`/p/paste` is no paste: ids look otherwise), then the
 * whole path where it is a route, then the rest. `/:name` comes after every other route.
 */
export const createPlaces =
  (prefixes: readonly string[], routes: Routes) =>
  (method: string, pathname: string): Place => {
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
 * Under which prefixes the fast path answers. A prefix that begins like a route of ours leaves it to the routes to say what
 * a path stands for; one with unusual characters could be a pattern to Bun's router.
 */
export const fastPrefixes = (prefixes: readonly string[], isReserved: (segment: string) => boolean) => {
  const isPlain = (prefix: string) => /^(\/[\w.-]+)+$/.test(prefix) && !isReserved(prefix.split('/')[1] ?? '')
  return prefixes.every(isPlain) ? ['', ...prefixes] : []
}

/**
 * Answers also where a proxy left the prefix on. The request is given another address in place: a copy of it would no
 * longer know its client, nor the length of its body.
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
