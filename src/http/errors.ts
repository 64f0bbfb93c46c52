import { ErrorPage, type Way } from '../../views/error-page.tsx'
import { AppError, type ErrorKind } from '../errors.ts'
import { asSentence } from '../format.ts'
import type { ErrorBody } from '../items/schema.ts'
import type { Log } from '../log.ts'
import { json, page } from './answers.ts'
import type { SiteAt } from './assets.ts'
import { isBrowser, isForForm } from './negotiate.ts'
import { relativeRoot } from './origin.ts'
import { pathOf } from './routes.ts'

type ErrorLook = readonly [status: number, reason: string, advice: string, ways?: readonly Way[]]

const start = { word: 'New paste', path: '' }
const api = { word: 'API documentation', path: 'docs' }
const usualWays = [start, { word: 'New short link', path: '?link' }, { word: 'My items', path: '?items' }]

const goBack = 'Nothing was created. Go back: what you typed is still there.'
const askTheOwner = 'The person who runs this server can find the reason in its log.'

/** For each kind of error: status, name, advice for people, and links. */
const errorLooks: Record<ErrorKind, ErrorLook> = {
  malformed: [400, 'Bad request', 'Check the address for missing or extra characters.', [start, api]],
  unauthorized: [401, 'No valid key', 'Ask the person who runs this server for an API key.'],
  forbidden: [403, 'Not allowed', 'The message above says what is allowed.'],
  'not-found': [
    404,
    'Not found',
    'Check the address. Ids are easily mistyped, and some chats cut addresses short.',
  ],
  'method-not-allowed': [
    405,
    'Method not allowed',
    'Open the address in a browser, or see the API documentation.',
    [api, start],
  ],
  gone: [
    410,
    'Gone',
    'It cannot be restored. If you still need it, ask the person who shared it for a new link.',
  ],
  conflict: [409, 'Taken', `${goBack} Choose another name and send it again.`],
  outdated: [
    412,
    'Changed since you read it',
    'Nothing was changed. Read it again, then send your change.',
    [start, api],
  ],
  'too-large': [413, 'Too large', `${goBack} Make it smaller, or split it.`],
  invalid: [422, 'Not valid', 'Change what is named above and try again.', [start, api]],
  'rate-limited': [429, 'Too many requests', `${goBack} Wait a little and send it again.`],
  overloaded: [503, 'Busy', 'Wait a moment, then go back and try again.'],
  'storage-full': [507, 'Storage full', 'Delete something you no longer need, then try again.'],
  'storage-unavailable': [503, 'Storage unavailable', `Try again later. ${askTheOwner}`],
  damaged: [500, 'Internal error', `Try again later. ${askTheOwner}`],
  'unusable-folder': [500, 'Internal error', askTheOwner],
  'unusable-address': [500, 'Internal error', askTheOwner],
}

/** The HTTP status of an `AppError`. */
export const statusOf = ({ kind }: AppError) => errorLooks[kind][0]

/** The cause for the log; never shown to a client. */
const causeOf = (error: unknown) => {
  const { cause, stack } = error as { cause?: unknown; stack?: string }
  return error instanceof AppError ? `${error.message} ${cause ?? ''}`.trim() : (stack ?? String(error))
}

/** What a client may know of an error; where the server is at fault, the log has the rest. */
export const explain = (error: unknown, log: Log) => {
  const kind = error instanceof AppError ? error.kind : 'damaged'
  const [status] = errorLooks[kind]
  // Strangers must not be able to fill the log.
  if (status >= 500 && kind !== 'overloaded')
    log('error', 'request failed', { status, cause: causeOf(error) })
  const message = error instanceof AppError && status !== 500 ? error.message : 'Internal error'
  return { kind, status, message: asSentence(message) }
}

/**
 * The one place that turns an error into a response. Unknown errors say only `Internal error`.
 * @param prefix sub-path of the pages, without last slash. If there is one, error pages name the root by it: a proxy may
 * have left it on the unknown path or removed it, so the depth of that path is unknown
 * @param isApi true for a path that only programs use; errors elsewhere may be pages
 */
export const createErrorResponse =
  (log: Log, prefix: string, siteAt: SiteAt, isApi = (_: string): boolean => false) =>
  (error: unknown, request: Request) => {
    const { kind, status, message } = explain(error, log)
    const [, reason, advice, ways = usualWays] = errorLooks[kind]
    const { headers, problem } = error instanceof AppError ? error : { headers: {} }
    const pathname = pathOf(request)
    if (isApi(pathname) || !isBrowser(request)) {
      const shown = problem &&
        isForForm(request) && { problem: { ...problem, message: asSentence(problem.message) } }
      return json({ success: false, error: message, ...shown } satisfies ErrorBody, status, headers)
    }
    const site = siteAt(prefix === '' ? relativeRoot(pathname) : `${prefix}/`)
    return page(ErrorPage({ site, status, reason, message, advice, ways }) as string, status, headers)
  }
