/** What every answer carries. */
const commonHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
}

const closedPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

export const jsonHeaders = {
  ...commonHeaders,
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Security-Policy': closedPolicy,
  'Cache-Control': 'no-store',
}

export const pageHeaders = {
  ...commonHeaders,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  'Cache-Control': 'no-store',
}

/** A raw paste may be any text, HTML and SVG included: the sandbox keeps it from running as either. */
export const rawHeaders = {
  ...commonHeaders,
  'Content-Type': 'text/plain; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; sandbox",
}

/** A deleted link must stop working at once, so no cache may keep it. */
export const redirectHeaders = {
  ...commonHeaders,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': closedPolicy,
  'Cache-Control': 'private, no-store',
}

export const assetHeaders = {
  ...commonHeaders,
  'Content-Security-Policy': closedPolicy,
  'Cache-Control': 'public, max-age=31536000, immutable',
}

/** Cached copies are asked about each time, because a paste can be deleted. */
export const revalidate = { 'Cache-Control': 'private, no-cache' }

type Headers = Readonly<Record<string, string>>

export const json = (body: object, status = 200, headers: Headers = {}) =>
  new Response(JSON.stringify(body), { status, headers: { ...jsonHeaders, ...headers } })

export const page = (html: string, status = 200, headers: Headers = {}) =>
  new Response(html, { status, headers: { ...pageHeaders, ...headers } })

/** RFC 9110 `If-None-Match`: a list of entity tags, or `*`. */
const isSameEntity = (request: Request, etag: string) => {
  const header = request.headers.get('if-none-match')
  if (header === null) return false
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

/** The body, or 304 to a client that has it already. */
export const conditional = (
  request: Request,
  body: string | Uint8Array<ArrayBuffer>,
  etag: string,
  headers: Headers,
) => {
  const tagged = { ...headers, ETag: etag }
  return isSameEntity(request, etag)
    ? new Response(null, { status: 304, headers: tagged })
    : new Response(body, { headers: tagged })
}

/** A strong entity tag of a text. */
export const entityTag = (text: string | Uint8Array) => `"${Bun.hash(text).toString(36)}"`

const accepts = (request: Request, type: string) => (request.headers.get('accept') ?? '').includes(type)

/** True for a client that asks for pages by name. */
export const isBrowser = (request: Request) => accepts(request, 'text/html')

/** Which form of a paste a client wants: browsers, and who does not say, get the page. */
export const preferredForm = (request: Request): 'page' | 'json' | 'raw' => {
  if (isBrowser(request)) return 'page'
  if (accepts(request, 'application/json')) return 'json'
  return accepts(request, 'text/plain') ? 'raw' : 'page'
}
