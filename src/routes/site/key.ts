import { json } from '../../http/answers.ts'
import type { KeyedContext } from '../../http/routes.ts'
import type { KeyFacts } from '../../items/answers.ts'
import type { KeyHolder } from '../../services/keys.ts'

/** Leaves out the key and its hash. */
const factsOf = ({ name, only, rate, expiresAt, admin }: KeyHolder): KeyFacts => ({
  success: true,
  name,
  ...(only !== undefined && { only }),
  ...(rate !== undefined && { rate }),
  ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
  ...(admin && { admin }),
})

/** `GET /key`: the name and the limits of the key. Takes no token. */
export const showKey = ({ holder }: KeyedContext) => json(factsOf(holder))
