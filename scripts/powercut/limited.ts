import type { createClient } from '../../test/support/client.ts'
import type { Random } from '../crash/random.ts'
import type { Note } from './ledger.ts'

/** A burn-after-reading paste, and what became of the reads that were sent. */
export type LimitedEntry = {
  path: string
  expected: string
  limit: number
  /** Answered with the text. */
  read: number
  /** Sent and not answered: each may have been counted or not. */
  unknown: number
}

/** Limited pastes, kept outside the server. */
export const createLimitedLedger = (note: Note = () => {}) => {
  const entries: LimitedEntry[] = []
  const problems: string[] = []

  const consume = async (url: string, entry: LimitedEntry) => {
    entry.unknown++
    note('limited', entry)
    const response = await fetch(url + entry.path, { method: 'POST' })
    const text = await response.text()
    // Of an error, nobody knows whether it was counted.
    if (response.status >= 500) throw new Error(`a read answered ${response.status}`)
    entry.unknown--
    if (response.status === 200 && text === entry.expected) entry.read++
    else if (response.status !== 410) problems.push(`${entry.path} answered ${response.status} to a read`)
    if (entry.read > entry.limit)
      problems.push(`${entry.path} was read ${entry.read} times of ${entry.limit}`)
    note('limited', entry)
    // What nobody knows of may have been counted; everything else was.
    if (response.status === 410 && entry.read + entry.unknown < entry.limit)
      problems.push(`${entry.path} is gone after ${entry.read} reads of ${entry.limit}`)
  }

  return {
    entries,
    problems,
    create: async (client: ReturnType<typeof createClient>, random: Random) => {
      const text = `limited ${random.below(1e9)}`
      const limit = 1 + random.below(4)
      const { rawUrl = '' } = await client.paste({ text, maxReads: limit })
      const entry = { path: new URL(rawUrl).pathname, expected: text, limit, read: 0, unknown: 0 }
      entries.push(entry)
      note('limited', entry)
    },
    /** Reads one of the last few, which other connections are reading as well. */
    read: async (url: string, random: Random) => {
      const recent = entries.slice(-20)
      if (recent.length > 0) await consume(url, random.pick(recent))
    },
    /** Reads every one until it is gone. */
    exhaust: async (url: string) => {
      for (const entry of entries)
        for (let reads = 0; reads <= entry.limit; reads++) await consume(url, entry)
      for (const { path, read, unknown, limit } of entries)
        if (read + unknown < limit) problems.push(`${path} was read ${read} times of ${limit}`)
    },
  }
}
export type LimitedLedger = ReturnType<typeof createLimitedLedger>
