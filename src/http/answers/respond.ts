/** Headers of every response. */
export const commonHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
}

const closedPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** Pages of any origin may read the response. Browsers attach no credentials by themselves, so this gives nothing away. */
export const openHeaders = { 'Access-Control-Allow-Origin': '*' }

/** Responses of the API: pages of other origins may also read these headers. */
export const apiHeaders = {
  ...openHeaders,
  'Access-Control-Expose-Headers': 'ETag, Location, Deletion-Url, Retry-After, RateLimit, RateLimit-Policy',
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

/** For a page whose form leads to another site: Chromium applies `form-action` to the redirect of the response as well. */
export const leavingPolicy = { 'Content-Security-Policy': pagePolicy }

export const pageHeaders = {
  ...commonHeaders,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `${pagePolicy}; form-action 'self'`,
  'Cache-Control': 'no-store',
}

/** A raw paste may hold any text, HTML and SVG included. The sandbox keeps it from running. */
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

/** A browser must revalidate its cached copy each time, because a paste can be deleted. */
export const revalidate = { 'Cache-Control': 'private, no-cache' }

/** The form of a paste depends on `Accept`, its compression on `Accept-Encoding`. */
export const negotiated = { ...revalidate, Vary: 'Accept, Accept-Encoding' }

type Headers = Readonly<Record<string, string>>

export const json = (body: object, status = 200, headers: Headers = {}) =>
  new Response(JSON.stringify(body), { status, headers: { ...jsonHeaders, ...headers } })

/** 201 with the address of a new item; 200 for a change, which has no deletion link. */
export const outcomeOf = (
  { deletionUrl }: { deletionUrl?: string },
  address: string,
): readonly [status: number, Headers] =>
  deletionUrl === undefined ? [200, {}] : [201, { Location: address }]

/** Only a creation has a deletion link. */
export const deletionOf = ({ deletionUrl }: { deletionUrl?: string }): Headers =>
  deletionUrl === undefined ? {} : { 'Deletion-Url': deletionUrl }

/** The client of rustypaste takes every other status for an error. */
const takesOnly200 = ({ headers }: Request) => /^rustypaste-cli\//.test(headers.get('user-agent') ?? '')

/** Just the address of a new or changed item, for shells. */
export const addressAnswer = (request: Request, answer: { deletionUrl?: string }, address: string) => {
  const [status, location] = outcomeOf(answer, address)
  return new Response(`${address}\n`, {
    status: takesOnly200(request) ? 200 : status,
    headers: {
      ...rawHeaders,
      ...apiHeaders,
      'Cache-Control': 'no-store',
      ...location,
      ...deletionOf(answer),
    },
  })
}

export const page = (html: string, status = 200, headers: Headers = {}) =>
  new Response(html, { status, headers: { ...pageHeaders, ...headers } })

/** The strong entity tag of a text. */
export const entityTag = (text: string | Uint8Array) => `"${Bun.hash(text).toString(36)}"`
