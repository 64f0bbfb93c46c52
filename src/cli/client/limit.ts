import type { Failure } from './failures.ts'

/** A limit by its flag, as a field of a creation; how large it may be is for the server to say. */
export const limitField = <N extends string>(
  field: N,
  flag: string,
  raw: string | undefined,
): Partial<Record<N, number>> | Failure => {
  if (raw === undefined) return {}
  if (!/^\d{1,15}$/.test(raw))
    return { problem: `--${flag}: expected a whole number, at least 1, not "${raw}"`, exitCode: 2 }
  return { [field]: Number(raw) } as Record<N, number>
}
