import { optionalHeaders, withHeaders } from './headers.ts'
import { refusalsForAll } from './refusals.ts'
import type { Answer, Operation, Operations } from './types.ts'

/** Where a key or a deletion link is of use. */
const sharedPaths = [
  '/',
  '/{name}',
  '/paste',
  '/shortener',
  '/paste/delete',
  '/shortener/delete',
  '/p/{id}',
  '/p/raw/{id}',
  '/key',
  '/pastes',
  '/pastes/{id}',
  '/links',
  '/links/{id}',
  '/documents',
  '/documents/{id}',
  '/raw/{id}',
]

/** `/p/raw/{id}` → `preflightPRawId` */
const idOf = (path: string) =>
  `preflight${path.replace(/\W*(\w?)(\w*)/g, (_, first, rest) => first.toUpperCase() + rest)}`

const preflight = (path: string, { tags, parameters = [] }: Operation): Operation => ({
  operationId: idOf(path),
  tags,
  summary: 'What a page of another origin may send here; browsers ask by themselves',
  parameters: parameters.filter((parameter) => parameter.in === 'path'),
  responses: {
    204: {
      description: 'It may',
      ...withHeaders(
        'Allow',
        'Access-Control-Allow-Origin',
        'Access-Control-Allow-Methods',
        'Access-Control-Allow-Headers',
        'Access-Control-Max-Age',
      ),
    },
    ...refusalsForAll({}),
  },
})

/** The operations, and `OPTIONS` at each of their paths that web pages of any origin may use. */
export const withPreflights = (operations: Operations): Operations => {
  const preflights = Object.entries(operations)
    .map(([name, operation]) => [name.replace(/^\w+ /, ''), operation] as const)
    .filter(([path]) => sharedPaths.includes(path))
    .map(([path, operation]) => [`OPTIONS ${path}`, preflight(path, operation)])
  return { ...operations, ...Object.fromEntries(preflights) }
}

/** True for headers that are the same everywhere, and the business of browsers. */
export const isCorsHeader = (name: string) => name.startsWith('Access-Control-')

const isOpen = (type: string) => type === 'application/json' || type === 'text/plain'

/**
 * An answer with the headers that let pages of every origin read it: what is meant for programs has them, pages do not.
 * @param types of its body, or of the body that a client already has
 */
export const openAnswer = (answer: Answer, types = Object.keys(answer.content ?? {})): Answer => {
  if (!types.some(isOpen)) return answer
  const choose = types.every(isOpen) ? withHeaders : optionalHeaders
  return {
    ...answer,
    headers: {
      ...answer.headers,
      ...choose('Access-Control-Allow-Origin').headers,
      ...withHeaders('Access-Control-Expose-Headers').headers,
    },
  }
}

/** The operation with all its answers as `openAnswer` makes them. */
export const withCors = (operation: Operation): Operation => {
  const { responses } = operation
  const opened = Object.entries(responses).map(([status, answer]) => [
    status,
    openAnswer(answer, Object.keys((status === '304' ? responses[200] : answer)?.content ?? {})),
  ])
  return { ...operation, responses: Object.fromEntries(opened) }
}
