const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBADF: 'it is closed',
  EDQUOT: 'your share of the disk is used up',
  EEXIST: 'a file has this name',
  EFBIG: 'the file would be too large',
  EIO: 'the device failed',
  EISDIR: 'it is a folder',
  EMFILE: 'too many files are open',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'part of its path is a file, not a folder',
  EPERM: 'permission denied',
  EPIPE: 'its reader has gone',
  EROFS: 'the disk is read-only',
}

/** Why a system call failed, in words. */
export const reasonOf = ({ code = '', message }: NodeJS.ErrnoException) =>
  Object.hasOwn(reasons, code) ? `${reasons[code]} (${code})` : message

const isFull = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** What to do before trying again. */
export const remedyOf = ({ code = '' }: NodeJS.ErrnoException) =>
  isFull.has(code) ? 'free some space and try again' : 'write to another place'

/** The file, if there is one, and why it could not be used. */
export const systemProblem = (error: NodeJS.ErrnoException) =>
  [error.path, reasonOf(error)].filter((part) => part !== undefined && part !== '').join(': ')
