import { isSystemError, unusableFolder } from '../../errors.ts'
import { reasonOf, remedyOf } from '../system-errors.ts'

/** The error of a system call as a message: what could not be done, why, and what to do. Other errors stay as they are. */
export const cannot = (what: string, error: unknown) =>
  isSystemError(error) ? unusableFolder(`cannot ${what}: ${reasonOf(error)}; ${remedyOf(error)}`) : error
