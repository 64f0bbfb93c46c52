import type { Addresses } from '../urls.ts'
import { withCors, withPreflights } from './cors.ts'
import { headers } from './headers.ts'
import { creating } from './operations/creating.ts'
import { deleting } from './operations/deleting.ts'
import { haste } from './operations/haste.ts'
import { limited } from './operations/limited.ts'
import { ownItems } from './operations/own-items.ts'
import { reading } from './operations/reading.ts'
import { health, site } from './operations/site.ts'
import { uploading } from './operations/uploads.ts'
import { schemas } from './parts.ts'
import { sharex } from './sharex.ts'
import type { Description, Operations, PathItem } from './types.ts'

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

/** The paths of some operations; `url` says where they are, if not where the API is. */
const pathsOf = (operations: Operations, url?: string) => {
  const paths: Record<string, PathItem> = {}
  for (const [name, operation] of Object.entries(withPreflights(operations))) {
    const [method = '', path = ''] = name.split(' ')
    paths[path] = { ...(url === undefined ? {} : { servers: [{ url }] }), ...paths[path] }
    Object.assign(paths[path], { [method.toLowerCase()]: withCors(operation) })
  }
  return paths
}

/** The API of a server at these addresses, in OpenAPI 3.1, from the schemas that check its requests. */
export const describeApi = (addresses: Addresses, version: string): Description => {
  const { baseUrl, publicUrl } = addresses
  return {
    openapi: '3.1.1',
    info: {
      title: 'Shortcrust',
      version,
      summary: 'Pastes and short links from one executable',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags,
    paths: {
      ...pathsOf({ ...reading, ...limited }, publicUrl === baseUrl ? undefined : publicUrl),
      ...pathsOf({
        ...creating(addresses),
        ...uploading(addresses),
        ...deleting,
        ...ownItems(addresses),
        ...haste,
        ...sharex,
        ...site(addresses),
        ...health,
      }),
    },
    components: {
      schemas,
      headers,
      securitySchemes: {
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
      },
    },
  }
}
