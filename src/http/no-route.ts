import { methodNotAllowed, notFound } from '../errors.ts'
import { commonHeaders, openHeaders } from './answers/respond.ts'
import { pathOf, type RouteEntry, type RouteList } from './route-list.ts'

/** A browser asks this before a page of another origin sends a key. Firefox caches it for a day, Chromium for two hours. */
const preflight = (allow: string) => {
  const headers = {
    ...commonHeaders,
    ...openHeaders,
    // A wildcard would not cover `Authorization` (Fetch, CORS protocol).
    'Access-Control-Allow-Headers': 'key, content-type, authorization, if-match',
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

/**
 * Answers a request without a route: a preflight, 405 with `Allow`, or 404.
 * @param burning templates that take `POST` only for items that burn after reading
 */
export const createNoRoute = (routes: RouteList, burning: Readonly<Record<string, IsBurning>>) => {
  const allowAt = async ({ path, methods, isShared }: RouteEntry, pathname: string) => {
    const isBurning = burning[path]
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
