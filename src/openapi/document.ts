import type { Addresses } from '../urls.ts'
import { creating } from './creating.ts'
import { deleting } from './deleting.ts'
import { headers } from './headers.ts'
import { schemas } from './parts.ts'
import { reading } from './reading.ts'
import { health, site } from './site.ts'
import type { Description, Operations, PathItem } from './types.ts'

const tags = [
  { name: 'Creating', description: 'Needs an API key. A key that is used too often is asked to wait.' },
  { name: 'Reading', description: 'Open to whoever has the link.' },
  { name: 'Deleting', description: 'Needs the deletion key that the creation answered, and no API key.' },
  { name: 'Pages and files', description: 'What browsers use.' },
  { name: 'Health', description: 'What watches the server.' },
]

const description = `Pastes and short links. Creating needs an API key in the header \`key\`; reading is open to whoever has the link.

Every error is \`{"success":false,"error":"…"}\`, or a page for a client that asks for \`text/html\` at an address for browsers. \
\`HEAD\` is answered like \`GET\`, every other method that is not listed with \`405\` and \`Allow\`, and an address that is not \
listed with \`404\`. Fields that are not listed are ignored. Each answer forbids sniffing, framing, indexing and telling where \
the reader came from.`

/** The paths of some operations; `url` says where they are, if not where the API is. */
const pathsOf = (operations: Operations, url?: string) => {
  const paths: Record<string, PathItem> = {}
  for (const [name, operation] of Object.entries(operations)) {
    const [method = '', path = ''] = name.split(' ')
    paths[path] = { ...(url === undefined ? {} : { servers: [{ url }] }), ...paths[path] }
    Object.assign(paths[path], { [method.toLowerCase()]: operation })
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
      ...pathsOf(creating(addresses)),
      ...pathsOf(reading, publicUrl === baseUrl ? undefined : publicUrl),
      ...pathsOf(deleting),
      ...pathsOf(site),
      ...pathsOf(health),
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
      },
    },
  }
}
