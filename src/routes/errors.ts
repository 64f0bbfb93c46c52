import { ErrorPage } from '../../views/error-page.tsx'
import { AppError, type ErrorKind } from '../errors.ts'
import type { Log } from '../log.ts'
import { relativeRoot } from '../urls.ts'
import { siteAt } from './assets.ts'
import { isBrowser, json, page } from './respond.ts'

const statuses: Record<ErrorKind, [status: number, reason: string]> = {
  malformed: [400, 'Bad Request'],
  unauthorized: [401, 'Unauthorized'],
  'not-found': [404, 'Not Found'],
  'method-not-allowed': [405, 'Method Not Allowed'],
  gone: [410, 'Gone'],
  'too-large': [413, 'Too Large'],
  invalid: [422, 'Not Valid'],
  'rate-limited': [429, 'Too Many Requests'],
  'storage-full': [507, 'Storage Full'],
  'storage-unavailable': [503, 'Storage Unavailable'],
  damaged: [500, 'Internal Error'],
  'unusable-folder': [500, 'Internal Error'],
}

/** What went wrong, as deep as the log should say it; never shown to a client. */
const causeOf = (error: unknown) => {
  const { cause, stack } = error as { cause?: unknown; stack?: string }
  return error instanceof AppError ? `${error.message} ${cause ?? ''}`.trim() : (stack ?? String(error))
}

/** The two endpoints that programs create with; everything else is a public page. */
const isApi = (pathname: string) => /^\/(paste|shortener)\/?$/.test(pathname)

const pathOf = (request: Request) => URL.parse(request.url)?.pathname ?? '/'

/** The one place where an error becomes an answer. Unknown errors say `Internal error` and nothing else. */
export const createErrorResponse = (log: Log) => (error: unknown, request: Request) => {
  const kind = error instanceof AppError ? error.kind : 'damaged'
  const [status, reason] = statuses[kind]
  if (status >= 500) log('error', 'request failed', { status, cause: causeOf(error) })
  const message = error instanceof AppError && status !== 500 ? error.message : 'Internal error'
  const headers = error instanceof AppError ? error.headers : {}
  const pathname = pathOf(request)
  if (isApi(pathname) || !isBrowser(request)) return json({ success: false, error: message }, status, headers)
  return page(
    ErrorPage({ site: siteAt(relativeRoot(pathname)), status, reason, message }) as string,
    status,
    headers,
  )
}
