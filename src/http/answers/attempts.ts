import { LRUCache } from 'lru-cache'
import type { Highlighting } from '../../highlight/highlighter.ts'
import type { Lines } from '../../highlight/lines.ts'

/** A failure is remembered, so it is not repeated on each read, but not for long: the machine may just have been busy. */
const failureKeepMs = 60_000
const mostFailures = 1000

/** Why there are no lines: not yet, or not at all. */
export type Missing = 'late' | 'failed'

/** Asks the highlighter once for each key, and remembers what failed or is not ready yet. */
export const createAttempts = () => {
  const failed = new LRUCache<string, true>({ max: mostFailures, ttl: failureKeepMs, ttlResolution: 0 })
  /** Work that goes on, whose readers got an answer without it. */
  const late = new Set<string>()

  const keepLate = async (
    key: string,
    later: Promise<Highlighting>,
    keep: (lines: Lines) => Promise<unknown>,
  ) => {
    late.add(key)
    const { lines, isFailed } = await later
    if (isFailed) failed.set(key, true)
    // A patch that cannot be made throws. Its next reader gets the error.
    if (lines) await keep(lines).catch(() => {})
    late.delete(key)
  }

  /** @param keep is called with lines that come later */
  return async (
    key: string,
    highlight: () => Promise<Highlighting>,
    keep: (lines: Lines) => Promise<unknown>,
  ): Promise<Lines | Missing> => {
    if (failed.has(key)) return 'failed'
    if (late.has(key)) return 'late'
    const { lines, isFailed, later } = await highlight()
    if (lines) return lines
    if (isFailed) failed.set(key, true)
    if (later) void keepLate(key, later, keep)
    return isFailed ? 'failed' : 'late'
  }
}
