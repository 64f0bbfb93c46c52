import type { KeyFacts } from '../schema/key-facts.ts'
import type { KeyHolder } from '../services/keys.ts'
import type { Identify } from './auth.ts'
import { sharedResource } from './cors.ts'
import { json } from './respond.ts'

export type KeyRoutesParts = { identify: Identify }

/** Never the key, nor its hash. */
const factsOf = ({ name, only, rate, expiresAt }: KeyHolder): KeyFacts => ({
  success: true,
  name,
  ...(only !== undefined && { only }),
  ...(rate !== undefined && { rate }),
  ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
})

/** `GET /key`: which key the request brought, and what it is limited to. Takes no token. */
export const keyRoutes = ({ identify }: KeyRoutesParts) =>
  sharedResource('/key', {
    get: async ({ request }) => json(factsOf(await identify(request.headers.get('key')))),
  })
