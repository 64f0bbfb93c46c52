import { type ErrorResponse, type Errors, errorResponses, everywhere, keyErrors } from './errors.ts'
import { type HeaderWord, headersOf, methodHeader, openAnswer } from './headers.ts'
import { html, json } from './parts.ts'
import type { Answer, Content, Headers, Operation, Parameter } from './types.ts'

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

const answerOf = ([description, content, ...headers]: Reply): Answer => ({
  description,
  ...(headers.length && { headers: headersOf(headers) }),
  ...(content && { content }),
})

/** The body of an error response. Without a message, it shows the default one. */
export const errorContent = (status: keyof typeof errorResponses, message = '', isPage = true): Content => {
  const error = message || errorResponses[status][1]
  return { ...json('ErrorBody', { success: false, error }), ...(isPage && html) }
}

const isGuarded = ({ key = 'none' }: OperationParts) => key !== 'none' && key !== 'optional'

const errorsOf = (parts: OperationParts, isApi: boolean) => {
  const { errors, allow } = parts
  return Object.entries({ ...everywhere, ...(isGuarded(parts) && keyErrors), ...errors }).map(
    ([key, message]) => {
      const status = Number(key) as keyof Errors
      const [description, , ...headers]: ErrorResponse = errorResponses[status]
      const methods = status === 405 && allow ? [methodHeader('Allow', [allow])] : []
      return [
        key,
        answerOf([description, errorContent(status, message, !isApi), ...headers, ...methods]),
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
