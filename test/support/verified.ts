import { expect } from 'bun:test'

/** The report of `verify` on a folder with which all is well. */
export const nothingWrong = expect.stringContaining('verified: 0 damaged, 0 foreign\n') as unknown as string

/** The lines of the report that name a file. */
export const problemsIn = (report: string) =>
  report
    .split('\n')
    .filter((line) => /^(damaged|foreign) /.test(line))
    .map((line) => `${line}\n`)
    .join('')
