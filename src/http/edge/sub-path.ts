import { redirectHeaders } from '../answers/respond.ts'
import type { Fetch } from '../listen.ts'
import { pathOf, type RouteList } from '../route-list.ts'

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
export type Place = { pathname: string } | { redirect: string }

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
