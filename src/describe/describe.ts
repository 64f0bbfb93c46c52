import { asSentence } from '../format.ts'
import {
  type ErrorResponse,
  type Errors,
  errorResponses,
  everywhere,
  type HeaderWord,
  headers,
  headersOf,
  html,
  json,
  keyErrors,
  methodHeader,
  openAnswer,
} from './parts.ts'
import { schemas } from './schemas.ts'
import type {
  Content,
  DescribedAnswer,
  Description,
  Headers,
  Operation,
  Parameter,
  PathItem,
} from './types.ts'

const tags: Description['tags'] = [
  {
    name: 'Creating',
    description:
      'Needs an API key, unless the server lets guests in. If you create too fast, you are asked to wait.',
  },
  { name: 'Reading', description: 'Open to anyone with the link.' },
  { name: 'Deleting', description: 'Needs the deletion key from the creation, and no API key.' },
  {
    name: 'Items of a key',
    description:
      'Needs an API key, or a user that a proxy names, and shows what it made. Does not count towards the rate limit.',
  },
  {
    name: 'The owner',
    description: 'Needs an admin key, which also lists and deletes what every key made.',
  },
  { name: 'Other clients', 'x-protocol': true, description: 'For ShareX and clients of hastebin.' },
  {
    name: 'rustypaste',
    'x-protocol': true,
    description: 'For `rpaste`, its client. It uploads by `POST /`.',
  },
  { name: 'pastebinit', 'x-protocol': true, description: 'For `pastebinit` of Debian and Ubuntu.' },
  {
    name: 'YOURLS',
    'x-protocol': true,
    description: 'For programs of YOURLS, each with an API key as its signature or password.',
  },
  {
    name: 'mclo.gs',
    'x-protocol': true,
    description: 'For launchers and libraries that send logs to mclo.gs.',
  },
  {
    name: 'Gists',
    'x-protocol': true,
    description: 'For programs of GitHub Enterprise. A gist is a paste: one file, and never public.',
  },
  {
    name: 'Shlink',
    'x-protocol': true,
    description:
      'For its SDKs and web client. The key may come as `X-Api-Key`; an error is a problem of RFC 9457.',
  },
  {
    name: 'Kutt',
    'x-protocol': true,
    description: 'For programs that create short links there. The key may come as `X-API-KEY`.',
  },
  { name: 'Pages and files', description: 'For browsers.' },
  { name: 'Health', description: 'For monitoring.' },
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

/** A route as the table of the app has it. */
export type DescribedRoute = {
  method: string
  path: string
  operationId: string
  isShared?: boolean
  isApi?: boolean
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
  routes: readonly DescribedRoute[],
  details: Details,
  isApart: boolean,
): PathItem => {
  const here = routes.map(({ method, operationId }) => {
    const parts = details[operationId]
    if (!parts) throw new Error(`nothing describes ${method} ${path}`)
    return { method, operationId, parts }
  })
  const isApi = routes.some((route) => route.isApi)
  const operations = here.map(({ method, operationId, parts }) => [
    method.toLowerCase(),
    operation(operationId, parts, isApi),
  ])
  const [{ parts: first }] = here as [(typeof here)[0]]
  return {
    ...(isApart && /^\/[ps]\//.test(path) && { servers: [{ url: '{publicUrl}' }] }),
    ...Object.fromEntries(operations),
    ...(routes.some((route) => route.isShared) && { options: preflight(path, first, allowOf(here), isApi) }),
  }
}

/** The paths of the routes, in the order of the details. */
const describePaths = (routes: readonly DescribedRoute[], details: Details, isApart: boolean) => {
  const order = Object.keys(details)
  const placeOf = (here: readonly DescribedRoute[]) =>
    Math.min(...here.map(({ operationId }) => order.indexOf(operationId)))
  const paths = [...Map.groupBy(routes, ({ path }) => path.replace(/:(\w+)/g, '{$1}'))]
    .sort(([, a], [, b]) => placeOf(a) - placeOf(b))
    .map(([path, here]) => [path, describePath(path, here, details, isApart)] as const)
  return Object.fromEntries(paths)
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** The OpenAPI 3.1 document of this API at the given addresses, built from its routes and request schemas. */
export const describeApi = (
  routes: readonly DescribedRoute[],
  details: Details,
  { baseUrl, publicUrl }: { baseUrl: string; publicUrl: string },
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

/** A response of an operation: description, body, headers. */
type Reply = readonly [
  description: string,
  content?: Content | undefined,
  ...headers: (HeaderWord | Headers)[],
]

export type OperationParts = {
  tag: string
  summary: string
  description: string
  /** How to send an API key; unset if none is needed, `optional` if a key changes what the operation does. */
  key?: keyof typeof securities
  parameters?: readonly Parameter[]
  body?: Content
  answers: Readonly<Record<number, Reply>>
  errors?: Errors
  /** The body of its errors, where a protocol of other programs says them in its own words. */
  errorBody?: Content
  /** The `Allow` of a 405 that this operation itself sends. */
  allow?: string
}

/** The details of each operation, by its id, which its route has too. */
export type Details = Readonly<Record<string, OperationParts>>

const securities = {
  none: [],
  header: [{ apiKey: [] }],
  upload: [{ apiKey: [] }, { bearer: [] }],
  /** The ways of hastebin's clients. */
  any: [{ apiKey: [] }, { bearer: [] }, { basic: [] }],
  optional: [{}, { apiKey: [] }, { bearer: [] }],
} as const

const answerOf = ([description, content, ...headers]: Reply): DescribedAnswer => ({
  description,
  ...(headers.length && { headers: headersOf(headers) }),
  ...(content && { content }),
})

/** The body of an error response. Without a message, it shows the default one. */
export const errorContent = (status: keyof typeof errorResponses, message = '', isPage = true): Content => {
  const error = asSentence(message || errorResponses[status][1])
  return { ...json('ErrorBody', { success: false, error }), ...(isPage && html) }
}

const isGuarded = ({ key = 'none' }: OperationParts) => key !== 'none' && key !== 'optional'

const errorsOf = (parts: OperationParts, isApi: boolean) => {
  const { errors, errorBody, allow } = parts
  return Object.entries({ ...everywhere, ...(isGuarded(parts) && keyErrors), ...errors }).map(
    ([key, message]) => {
      const status = Number(key) as keyof Errors
      const [description, , ...headers]: ErrorResponse = errorResponses[status]
      const methods = status === 405 && allow ? [methodHeader('Allow', [allow])] : []
      return [
        key,
        answerOf([description, errorBody ?? errorContent(status, message, !isApi), ...headers, ...methods]),
      ] as const
    },
  )
}

/**
 * Describes an operation.
 * @param isApi true if only programs use it, so its errors are never pages
 */
export const operation = (operationId: string, parts: OperationParts, isApi: boolean): Operation => {
  const { tag, summary, description, key = 'none', parameters, body, answers } = parts
  const replies = Object.entries(answers).map(([status, reply]) => [status, answerOf(reply)] as const)
  const responses = [...errorsOf(parts, isApi), ...replies].map(([status, answer]) => [
    status,
    openAnswer(answer, Object.keys((status === '304' ? answers[200]?.[1] : answer.content) ?? {})),
  ])
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: securities[key],
    ...(parameters && { parameters }),
    ...(body && { requestBody: { required: true, content: body } }),
    responses: Object.fromEntries(responses),
  }
}

/** `/p/raw/{id}` → `preflightPRawId` */
const preflightId = (path: string) =>
  `preflight${path.replace(/\W*(\w?)(\w*)/g, (_, first, rest) => first.toUpperCase() + rest)}`

/**
 * Describes `OPTIONS` of a path for other origins.
 * @param methods the values that `Allow` may have; several if it depends on the item
 */
export const preflight = (
  path: string,
  { tag, parameters = [] }: OperationParts,
  methods: readonly [string, ...string[]],
  isApi: boolean,
) => {
  const parts: OperationParts = {
    tag,
    summary: 'What a page of another origin may send here; browsers ask by themselves',
    description: 'Needs no key, and changes nothing.',
    // A preflight looks nothing up, so it takes any name.
    parameters: parameters
      .filter((parameter) => parameter.in === 'path')
      .map((parameter) => ({ ...parameter, schema: { type: 'string' } })),
    answers: {
      204: [
        'It may',
        undefined,
        methodHeader('Allow', methods),
        methodHeader('Access-Control-Allow-Methods', methods),
        'Access-Control-Allow-Origin',
        'Access-Control-Allow-Headers',
        'Access-Control-Max-Age',
      ],
    },
  }
  return operation(preflightId(path), parts, isApi)
}
