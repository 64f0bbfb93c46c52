/** What every answer carries. */
export const commonHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
}

const closedPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** Lets pages of every origin read an answer; no credential comes with a request by itself, so that gives nothing away. */
export const openHeaders = { 'Access-Control-Allow-Origin': '*' }

/** The answers of the API: their own headers can be read as well. */
export const apiHeaders = {
  ...openHeaders,
  'Access-Control-Expose-Headers': 'Location, Deletion-Url, Retry-After, RateLimit, RateLimit-Policy',
}

export const jsonHeaders = {
  ...commonHeaders,
  ...apiHeaders,
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Security-Policy': closedPolicy,
  'Cache-Control': 'no-store',
}

const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'"

/** For a page whose form leads to another site: Chromium holds `form-action` against the redirect that answers it, too. */
export const leavingPolicy = { 'Content-Security-Policy': pagePolicy }

export const pageHeaders = {
  ...commonHeaders,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `${pagePolicy}; form-action 'self'`,
  'Cache-Control': 'no-store',
}

/** A raw paste may be any text, HTML and SVG included: the sandbox keeps it from running as either. */
export const rawHeaders = {
  ...commonHeaders,
  ...openHeaders,
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

/** A paste's page has three forms, and each is compressed as the client can read it. */
export const negotiated = { ...revalidate, Vary: 'Accept, Accept-Encoding' }

type Headers = Readonly<Record<string, string>>

export const json = (body: object, status = 200, headers: Headers = {}) =>
  new Response(JSON.stringify(body), { status, headers: { ...jsonHeaders, ...headers } })

export const page = (html: string, status = 200, headers: Headers = {}) =>
  new Response(html, { status, headers: { ...pageHeaders, ...headers } })

/** A strong entity tag of a text. */
export const entityTag = (text: string | Uint8Array) => `"${Bun.hash(text).toString(36)}"`
