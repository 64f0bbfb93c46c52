import type { Addresses } from '../urls.ts'
import { headers } from './headers.ts'
import { type Details, type OperationParts, operation, preflight } from './operation.ts'
import { schemas } from './schemas.ts'
import type { Description, PathItem } from './types.ts'

const tags = [
  {
    name: 'Creating',
    description:
      'Needs an API key, unless the server lets guests in. Who creates too often is asked to wait.',
  },
  { name: 'Reading', description: 'Open to anyone with the link.' },
  { name: 'Deleting', description: 'Needs the deletion key that the creation answered, and no API key.' },
  {
    name: 'Items of a key',
    description:
      'Needs an API key, or a user that a proxy names, and shows what was made so. Not counted for the rate limit.',
  },
  {
    name: 'The owner',
    description: 'Needs an admin key, which also lists and deletes what every key made.',
  },
  { name: 'Other clients', description: 'What the clients of hastebin, and ShareX, use.' },
  { name: 'Pages and files', description: 'What browsers use.' },
  { name: 'Health', description: 'What watches the server.' },
]

const description = `Pastes and short links. Creating needs an API key in the header \`key\`; anyone with the link can read. \
A server can take creations without a key from its own network, and from users that a proxy names.

Every error is \`{"success":false,"error":"…"}\`, or a page for a client that asks for \`text/html\` at an address for browsers. \
\`HEAD\` is answered like \`GET\`, every other method that is not listed with \`405\` and \`Allow\`, and an address that is not \
listed with \`404\`, as is every other method at \`/{name}\`, which stands for each name that is not listed by itself. Fields that are \
not listed are ignored. Each answer forbids sniffing, framing, indexing and saying where the reader came from, and has an \`X-Request-Id\` where the server logs each request.

Pages of every origin may create, read, change and delete: answers in JSON or plain text carry \`Access-Control-Allow-Origin: *\`, and \
\`OPTIONS\` is answered with 204 where a key or a deletion link is of use. Without a key, a page of another host is refused with \`403\`.`

const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'key',
    description: 'An API key: `shortcrust keys add NAME` makes one.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The API key as `Authorization: Bearer …`.' },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'The API key as the password, or as the name where there is no password.',
  },
}

/** A route as the app lists it. */
export type Route = {
  method: string
  path: string
  hooks?: { detail?: { operationId?: string; 'x-cors'?: boolean; 'x-api'?: boolean } }
}

/** The values of `Allow` at a path. If `POST` is only for burn-after-reading items, it is there for them alone, at the end. */
const allowOf = (here: readonly { method: string; parts: OperationParts }[]): [string, ...string[]] => {
  const always = here.filter(({ method, parts }) => method !== 'POST' || parts.allow === undefined)
  const allow = [...always.map(({ method }) => method), 'OPTIONS'].join(', ').replace('GET', 'GET, HEAD')
  return always.length === here.length ? [allow] : [allow, `${allow}, POST`]
}

/** Describes one path. @param isApart true if pastes and links have another base address than the API */
const describePath = (
  path: string,
  routes: readonly Route[],
  details: Details,
  isApart: boolean,
): PathItem => {
  const here = routes.map(({ method, hooks: { detail: { operationId = '' } = {} } = {} }) => {
    const parts = details[operationId]
    if (!parts) throw new Error(`nothing describes ${method} ${path}`)
    return { method, operationId, parts }
  })
  const has = (flag: 'x-cors' | 'x-api') => routes.some(({ hooks }) => hooks?.detail?.[flag] === true)
  const isApi = has('x-api')
  const operations = here.map(({ method, operationId, parts }) => [
    method.toLowerCase(),
    operation(operationId, parts, isApi),
  ])
  const [{ parts: first }] = here as [(typeof here)[0]]
  return {
    ...(isApart && /^\/[ps]\//.test(path) && { servers: [{ url: '{publicUrl}' }] }),
    ...Object.fromEntries(operations),
    ...(has('x-cors') && { options: preflight(path, first, allowOf(here), isApi) }),
  }
}

/** The paths of the routes, in the order of the details. */
const describePaths = (routes: readonly Route[], details: Details, isApart: boolean) => {
  const order = Object.keys(details)
  const placeOf = (here: readonly Route[]) =>
    Math.min(...here.map(({ hooks }) => order.indexOf(hooks?.detail?.operationId ?? '')))
  const paths = [...Map.groupBy(routes, ({ path }) => path.replace(/:(\w+)/g, '{$1}'))]
    .sort(([, a], [, b]) => placeOf(a) - placeOf(b))
    .map(([path, here]) => [path, describePath(path, here, details, isApart)] as const)
  return Object.fromEntries(paths)
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** The OpenAPI 3.1 document of this API at the given addresses, built from its routes and request schemas. */
export const describeApi = (
  routes: readonly Route[],
  details: Details,
  { baseUrl, publicUrl }: Addresses,
  version: string,
): Description => {
  const described: Description = {
    openapi: '3.1.1',
    info: {
      title: 'Shortcrust',
      version,
      summary: 'Pastes and short links from one executable',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '{baseUrl}' }],
    tags,
    paths: describePaths(routes, details, publicUrl !== baseUrl),
    components: { schemas, headers, securitySchemes },
  }
  const text = JSON.stringify(described)
    .replaceAll('{baseUrl}', inJson(baseUrl))
    .replaceAll('{publicUrl}', inJson(publicUrl))
  return JSON.parse(text)
}
