import type { Addresses } from '../urls.ts'
import { headers } from './headers.ts'
import { type OperationParts, operation, preflight } from './operation.ts'
import { itemOperations } from './operations/items.ts'
import { linkOperations } from './operations/links.ts'
import { pasteOperations } from './operations/pastes.ts'
import { siteOperations } from './operations/site.ts'
import { schemas } from './schemas.ts'
import type { Description, PathItem } from './types.ts'

const tags = [
  { name: 'Creating', description: 'Needs an API key. A key that is used too often is asked to wait.' },
  { name: 'Reading', description: 'Open to anyone with the link.' },
  { name: 'Deleting', description: 'Needs the deletion key that the creation answered, and no API key.' },
  {
    name: 'Own items',
    description: 'Needs an API key, and shows what that key made. Not counted for its rate limit.',
  },
  { name: 'Other clients', description: 'What the clients of hastebin, and ShareX, use.' },
  { name: 'Pages and files', description: 'What browsers use.' },
  { name: 'Health', description: 'What watches the server.' },
]

const description = `Pastes and short links. Creating needs an API key in the header \`key\`; anyone with the link can read.

Every error is \`{"success":false,"error":"…"}\`, or a page for a client that asks for \`text/html\` at an address for browsers. \
\`HEAD\` is answered like \`GET\`, every other method that is not listed with \`405\` and \`Allow\`, and an address that is not \
listed with \`404\`, as is every other method at \`/{name}\`, which stands for each name that is not listed by itself. Fields that are \
not listed are ignored. Each answer forbids sniffing, framing, indexing and saying where the reader came from, and has an \`X-Request-Id\` where the server logs each request.

Pages of every origin may create, read and delete: answers in JSON or plain text carry \`Access-Control-Allow-Origin: *\`, and \
\`OPTIONS\` is answered with 204 where a key or a deletion link is of use.`

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

const operations = { ...pasteOperations, ...linkOperations, ...itemOperations, ...siteOperations }

type Described = { path: string; method: string; parts: OperationParts }

/** What `Allow` may say at a path: only limited items take a `POST` that can be answered 405, and they name it last. */
const allowOf = (here: readonly Described[]): [string, ...string[]] => {
  const isSometimes = ({ method, parts }: Described) => method === 'POST' && parts.allow !== undefined
  const always = here.filter((one) => !isSometimes(one)).map(({ method }) => method)
  const allow = [...always, 'OPTIONS'].join(', ').replace('GET', 'GET, HEAD')
  return here.some(isSometimes) ? [allow, `${allow}, POST`] : [allow]
}

/** True where a key or a deletion link is of use, so that web pages of any origin may use it. */
const isShared = (path: string) =>
  !/^\/(s|share|sharex|qr|assets|docs|openapi\.json|healthz|readyz)(\/|$)/.test(path)

/** @param isApart whether pastes and links are served at another address than the API */
const describePaths = (isApart: boolean) => {
  const described = Object.entries(operations).map(([name, parts]): Described => {
    const [method = '', path = ''] = name.split(' ')
    return { path, method, parts }
  })
  const paths: Record<string, PathItem> = {}
  for (const [path, here] of Map.groupBy(described, (one) => one.path)) {
    const [{ parts: first }] = here as [Described, ...Described[]]
    paths[path] = {
      ...(isApart && /^\/[ps]\//.test(path) && { servers: [{ url: '{publicUrl}' }] }),
      ...Object.fromEntries(here.map(({ method, parts }) => [method.toLowerCase(), operation(path, parts)])),
      ...(isShared(path) && { options: preflight(path, first, allowOf(here)) }),
    }
  }
  return paths
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** The API of a server at these addresses, in OpenAPI 3.1, from the schemas that check its requests. */
export const describeApi = ({ baseUrl, publicUrl }: Addresses, version: string): Description => {
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
    paths: describePaths(publicUrl !== baseUrl),
    components: { schemas, headers, securitySchemes },
  }
  const text = JSON.stringify(described)
    .replaceAll('{baseUrl}', inJson(baseUrl))
    .replaceAll('{publicUrl}', inJson(publicUrl))
  return JSON.parse(text)
}
