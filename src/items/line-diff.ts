import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatch, structuredPatch } from 'diff'

/**
 * What comparing may cost. Two texts of 1 MiB without a common line are given up after a second; two changes among 95,000
 * lines take a tenth of that.
 */
const cost = { maxEditLength: 4000, timeout: 1000 }

/**
 * Compares two texts line by line. Each line of a hunk begins with `+`, `-`, a space, or a backslash for a note.
 * @returns the changed lines with three lines around them; `undefined` if the texts differ too much
 */
export const patchOf = (before: string, after: string) =>
  structuredPatch('', '', before, after, '', '', { context: 3, ...cost })

/** A unified diff, which `patch` takes. @param versions printed behind the name of each side */
export const unifiedDiff = (patch: StructuredPatch, name: string, versions: readonly [string, string]) =>
  formatPatch(
    {
      ...{ ...patch, oldFileName: name, oldHeader: versions[0] },
      ...{ newFileName: name, newHeader: versions[1] },
    },
    FILE_HEADERS_ONLY,
  )
