import { commonHeaders, openHeaders } from './answers/respond.ts'
import { allowOf, type Methods, resource } from './resource.ts'

/** Asked for by a browser before a page of another origin sends a key. Firefox keeps it for a day, Chromium for two hours. */
const preflightHeaders = {
  ...commonHeaders,
  ...openHeaders,
  // A wildcard would not cover `Authorization` (Fetch, CORS protocol).
  'Access-Control-Allow-Headers': 'key, content-type, authorization',
  'Access-Control-Max-Age': '86400',
}

/** @param allow the methods, as the `Allow` header lists them */
export const preflight = (allow: string) => {
  const headers = { ...preflightHeaders, Allow: allow, 'Access-Control-Allow-Methods': allow }
  return new Response(null, { status: 204, headers })
}

/** The same methods, with the `OPTIONS` that a browser asks for. */
export const withPreflight = (methods: Methods): Methods => {
  const allow = `${allowOf(methods)}, OPTIONS`
  return { ...methods, options: () => preflight(allow) }
}

/** A resource that web pages of any origin may use: there is no cookie, so nothing but a key or a link permits. */
export const sharedResource = (path: string, methods: Methods) => resource(path, withPreflight(methods))
