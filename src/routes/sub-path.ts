import type { Fetch } from '../listen.ts'
import { redirectHeaders } from './respond.ts'
import { pathOf, type RouteTable } from './route-table.ts'

/** The path of an address without its last slash; empty for the root and for no address. */
export const prefixOf = (address: string | undefined) =>
  address ? new URL(address).pathname.replace(/\/+$/, '') : ''

/** The paths at which settings say that the service is found, longest first; none for the root. */
export const prefixesOf = (...addresses: readonly (string | undefined)[]): readonly string[] => {
  const paths = addresses.map(prefixOf).filter((path) => path !== '')
  return [...new Set(paths)].sort((a, b) => b.length - a.length)
}

/** What a path stands for: one of our own paths, or a prefix without its slash, from which a reader is sent on. */
export type Place = { pathname: string } | { redirect: string }

/**
 * Takes a prefix off a path that has come through a proxy as it was; where the proxy has taken it off, the path stays.
 * A prefix may begin like routes of ours (`/paste`, `/p`), so what decides is which routes there are: the rest of the path
 * wins where it answers this method or is a route without parameters (`/p/paste` is no paste: ids look otherwise), then the
 * whole path where it is a route, then the rest.
 */
export const createPlaces =
  (prefixes: readonly string[], routes: RouteTable) =>
  (method: string, pathname: string): Place => {
    const prefix = prefixes.find((one) => pathname === one || pathname.startsWith(`${one}/`))
    if (prefix === undefined) return { pathname }
    const rest = pathname.slice(prefix.length)
    if (rest === '') {
      if (routes.findAny(pathname)) return { pathname }
      return method === 'GET' || method === 'HEAD' ? { redirect: `${prefix}/` } : { pathname: '/' }
    }
    const isOurs = routes.find(method, rest) || routes.findAny(rest)?.includes(':') === false
    return { pathname: isOurs || !routes.findAny(pathname) ? rest : pathname }
  }

/**
 * Answers also where a proxy left the prefix on. The request is given another address in place: a copy of it would no
 * longer know its client, nor the length of its body.
 */
export const underPrefixes = (fetch: Fetch, prefixes: readonly string[], routes: RouteTable): Fetch => {
  if (prefixes.length === 0) return fetch
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
    return fetch(request, server)
  }
}
