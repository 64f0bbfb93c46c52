import { formLimit } from '../../src/http/body.ts'
import { maxUrlencodedBytes } from '../../src/http/forms.ts'

/** Settings of `--max-paste` that bodies and pages are tried with; the first is the standard. */
export const pasteLimits = ['1MiB', '8MiB'] as const

export const mebibytes = (size: string) => Number(size.replace('MiB', '')) * 1024 ** 2

/** What the server reads of a body at most, by its documentation: six times the largest paste, and some. */
export const largestBody = (size: string) => 6 * mebibytes(size)

/** As long as a form may be that is read, in either coding: what lies above is refused by its announced length alone. */
export const largestForm = (size: string, isUrlencoded: boolean) =>
  isUrlencoded ? maxUrlencodedBytes : formLimit(mebibytes(size))

/** What an attack with such a setting has in common: parts of its name and words, and the flags of the server. */
export const sized = (size: string) => {
  if (size === pasteLimits[0]) return { suffix: '', words: '', flags: {} }
  return { suffix: `/${size}`, words: `, --max-paste ${size}`, flags: { args: ['--max-paste', size] } }
}
