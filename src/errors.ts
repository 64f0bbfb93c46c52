/** Kinds of errors; `http/errors.ts` gives each one its HTTP status. */
export type ErrorKind =
  | 'malformed'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'gone'
  | 'conflict'
  | 'outdated'
  | 'too-large'
  | 'invalid'
  | 'rate-limited'
  | 'overloaded'
  | 'storage-full'
  | 'storage-unavailable'
  | 'damaged'
  | 'unusable-folder'
  | 'unusable-address'

/** Response headers of an error, for example `Allow` or `Retry-After`. */
export type ErrorHeaders = Readonly<Record<string, string>>

/** An error for a person at a form: the field to change, if a single one is wrong, and a value that it could have instead. */
export type FormProblem = { field?: string; message: string; value?: string }

/** The one error class. `message` is for the client, except for the kind `damaged`, which is only for the log. */
export class AppError extends Error {
  /** What a form says instead of `message`, at which field. */
  readonly problem: FormProblem | undefined

  constructor(
    readonly kind: ErrorKind,
    message: string,
    readonly headers: ErrorHeaders = {},
    { problem, ...options }: ErrorOptions & { problem?: FormProblem | undefined } = {},
  ) {
    super(message, options)
    this.name = 'AppError'
    this.problem = problem
  }
}

const maker = (kind: ErrorKind) => (message: string, problem?: FormProblem) =>
  new AppError(kind, message, {}, { problem })

export const malformed = maker('malformed')
export const unauthorized = maker('unauthorized')
export const forbidden = maker('forbidden')
export const notFound = maker('not-found')
export const gone = maker('gone')
/** The item was changed since the client read it. */
export const outdated = maker('outdated')
export const conflict = maker('conflict')
export const tooLarge = maker('too-large')
export const invalid = maker('invalid')
export const rateLimited = (message: string, headers: ErrorHeaders, problem: FormProblem) =>
  new AppError('rate-limited', message, headers, { problem })

/** Strangers use all the memory set aside for them; a retry may succeed in a moment. */
export const overloaded = (message: string) => new AppError('overloaded', message, { 'Retry-After': '5' })

/** A reason not to start, with a message for the terminal. */
export const unusableFolder = (message: string) => new AppError('unusable-folder', message)

/** @param allow the methods that the path answers, in the format of `Allow` */
export const methodNotAllowed = (allow: string, message = `Method not allowed. Allowed here: ${allow}`) =>
  new AppError('method-not-allowed', message, { Allow: allow })

/** A reason not to start, with a message for the terminal. */
export const unusableAddress = (message: string) => new AppError('unusable-address', message)

/** A stored file that cannot be read or has wrong contents. */
export const damaged = (file: string, why: string, cause?: unknown) =>
  new AppError('damaged', `${file}: ${why}`, {}, { cause })

/** True for an error of a system call. Other errors are bugs. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  /^E(?!RR_)[A-Z0-9]+$/.test(String((error as NodeJS.ErrnoException | undefined)?.code))

/** True if a write failed because the disk, or the user's share of it, is full. */
export const isDiskFull = (error: unknown) =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '')

/** True if the file was read and is damaged; false if reading it failed, because it may be intact. */
export const isDamage = (error: unknown): error is AppError =>
  error instanceof AppError && error.kind === 'damaged' && error.cause === undefined

/** A failed write: `storage-full` if the disk is full, else `storage-unavailable`. */
export const storageFailure = (cause: unknown) => {
  if (cause instanceof AppError) return cause
  if (isDiskFull(cause))
    return new AppError('storage-full', 'The disk is full. Nothing was stored.', {}, { cause })
  return new AppError(
    'storage-unavailable',
    'Storage failed. Nothing was changed. Try again later.',
    {},
    { cause },
  )
}
