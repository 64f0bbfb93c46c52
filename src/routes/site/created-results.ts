import { LRUCache } from 'lru-cache'
import { gone } from '../../errors.ts'
import type { Kind } from './form-fields.ts'

/** What a form created, to be shown once its answer has sent the browser on to another address. */
export type Created = {
  kind: Kind
  /** Id or alias. */
  name: string
  url: string
  rawUrl?: string
  deletionUrl: string
}

/** Some 600 bytes each. Only who has a key creates. */
const mostKept = 1000
const keptMs = 15 * 60_000

/**
 * Keeps what forms created, in memory. A form is answered by a redirect, for a browser that loads the page again would else
 * send the form again. The deletion link must not stand in the address, so a random word does.
 */
export const createResults = (makeToken: () => string) => {
  const results = new LRUCache<string, Created>({ max: mostKept, ttl: keptMs, ttlResolution: 0 })
  return {
    /** @returns the word under which it is found for a quarter of an hour */
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
