import { wrongUsage } from './failures.ts'

/** A limit by its flag, as a field of a creation; how large it may be is for the server to say. @throws {Failure} */
export const limitField = <N extends string>(
  field: N,
  flag: string,
  raw: string | undefined,
): Partial<Record<N, number>> => {
  if (raw === undefined) return {}
  if (!/^\d{1,15}$/.test(raw))
    throw wrongUsage(`--${flag}: expected a whole number, at least 1, not "${raw}"`)
  return { [field]: Number(raw) } as Record<N, number>
}
