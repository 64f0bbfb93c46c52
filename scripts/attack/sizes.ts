/** Settings of `--max-paste` that bodies and pages are tried with. */
export const pasteLimits = ['1MiB', '8MiB'] as const

export const mebibytes = (size: string) => Number(size.replace('MiB', '')) * 1024 ** 2

/** What the server reads of a body at most, by its documentation: six times the largest paste, and some. */
export const largestBody = (size: string) => 6 * mebibytes(size)

/** The flags for one of them; none for the standard. */
export const maxPaste = (size: string) => (size === '1MiB' ? {} : { args: ['--max-paste', size] })

/** A part of a name, for all but the standard. */
export const suffix = (size: string) => (size === '1MiB' ? '' : `/${size}`)
