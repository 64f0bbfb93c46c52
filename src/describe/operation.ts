import { type ErrorResponse, type Errors, errorResponses, everywhere } from './errors.ts'
import { type HeaderWord, headersOf, methodHeader, openAnswer } from './headers.ts'
import { html, json } from './parts.ts'
import type { Answer, Content, Headers, Operation, Parameter } from './types.ts'

/** What an operation answers: in words, with these bodies, with these headers. */
type Reply = readonly [
  description: string,
  content?: Content | undefined,
  ...headers: (HeaderWord | Headers)[],
]

export type OperationParts = {
  tag: string
  summary: string
  description: string
  /** How an API key is sent, where one is needed; `optional` where it changes what is done. */
  key?: keyof typeof securities
  parameters?: readonly Parameter[]
  body?: Content
  answers: Readonly<Record<number, Reply>>
  errors?: Errors
  /** What `Allow` says in a 405 of this operation itself. */
  allow?: string
}

/** What each operation does, by its name: that of its route. */
export type Details = Readonly<Record<string, OperationParts>>

const securities = {
  none: [],
  header: [{ apiKey: [] }],
  /** As the clients of hastebin send it. */
  any: [{ apiKey: [] }, { bearer: [] }, { basic: [] }],
  optional: [{}, { apiKey: [] }],
} as const

const answerOf = ([description, content, ...headers]: Reply): Answer => ({
  description,
  ...(headers.length && { headers: headersOf(headers) }),
  ...(content && { content }),
})

/** The body of an error response; `''` takes the usual message. */
export const errorContent = (status: keyof typeof errorResponses, message = '', isPage = true): Content => {
  const error = message || errorResponses[status][1]
  return { ...json('ErrorBody', { success: false, error }), ...(isPage && html) }
}

const errorsOf = ({ errors, allow }: OperationParts, isApi: boolean) =>
  Object.entries({ ...everywhere, ...errors }).map(([key, message]) => {
    const status = Number(key) as keyof Errors
    const [description, , ...headers]: ErrorResponse = errorResponses[status]
    const methods = status === 405 && allow ? [methodHeader('Allow', [allow])] : []
    return [
      key,
      answerOf([description, errorContent(status, message, !isApi), ...headers, ...methods]),
    ] as const
  })

/**
 * What stands in the description for an operation.
 * @param isApi true where only programs come: no error is a page
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
 * What `OPTIONS` of a shared path answers.
 * @param methods that it may say the path answers: several where that depends on the item
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
    // Whatever the name: nothing is looked up.
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
