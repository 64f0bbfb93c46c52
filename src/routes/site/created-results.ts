import { LRUCache } from 'lru-cache'
import { gone } from '../../errors.ts'
import type { Kind } from './form-fields.ts'

/** What a form created, shown after the redirect. */
export type Created = {
  kind: Kind
  /** Id or alias. */
  name: string
  url: string
  rawUrl?: string
  deletionUrl?: string | undefined
  /** Id of the language, if it was detected. */
  language?: string | undefined
}

/** About 600 bytes each. Creating needs a key, so strangers cannot fill it. */
const mostKept = 1000
const keptMs = 15 * 60_000

/**
 * Keeps the results of forms in memory. A form is answered with a redirect, because reloading the page would send it
 * again. The deletion link must not be in the address, so a random token is.
 */
export const createResults = (makeToken: () => string) => {
  const results = new LRUCache<string, Created>({ max: mostKept, ttl: keptMs, ttlResolution: 0 })
  return {
    /** @returns the token that finds the result for 15 minutes */
    keep: (created: Created) => {
      const token = makeToken()
      results.set(token, created)
      return token
    },
    /** @throws {AppError} `gone` */
    find: (token: string): Created => {
      const found = results.get(token)
      if (found) return found
      throw gone('This result is shown for 15 minutes only. What was created is still there: see My items.')
    },
  }
}
