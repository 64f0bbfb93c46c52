import type { Failure } from './failures.ts'

/** Everything a source gives, or the failure it ended with. */
export const collect = async <T extends object>(
  source: AsyncIterable<T | Failure>,
): Promise<T[] | Failure> => {
  const found: T[] = []
  for await (const one of source) {
    if ('problem' in one) return one as Failure
    found.push(one as T)
  }
  return found
}
