import { Elysia } from 'elysia'
import { unauthorized } from '../errors.ts'
import type { Scope } from '../items/schema.ts'
import type { Admit } from '../services/access.ts'
import type { Authenticate, KeyHolder } from '../services/keys.ts'
import type { Keyless } from './edge/keyless.ts'
import { createSentKeys, type SentKeys } from './edge/sent-key.ts'
import type { RequestContext } from './route-list.ts'

export type KeyChecksParts = { authenticate: Authenticate; admit: Admit; keyless: Keyless }

/**
 * Lets a request through that may create this kind of item, and has a token left: with a valid key, as a user of a trusted
 * proxy, or as a guest.
 * @throws {AppError} `unauthorized`, `forbidden`, `rate-limited`, in this order: a forbidden request takes no token
 */
export type Guard = (context: RequestContext, key: string | null, scope: Scope) => Promise<KeyHolder>

/** The holder of a key, or the user of a trusted proxy; takes no token. @throws {AppError} `unauthorized`, `forbidden` */
export type Identify = (context: RequestContext, key: string | null) => Promise<KeyHolder>

const missingKey = () => unauthorized('The header "key" with an API key is missing')

export type KeyChecks = SentKeys & {
  guard: Guard
  /** As `guard`, but guests change nothing. */
  guardChange: Guard
  identify: Identify
}

/** The checks of who sends a request. */
export const createKeyChecks = ({ authenticate, admit, keyless }: KeyChecksParts): KeyChecks => {
  const holderOf = async (key: string) => {
    const holder = await authenticate(key)
    if (!holder) throw unauthorized('This API key is not valid')
    return holder
  }
  const identify: Identify = async (context, key) => {
    const holder = key ? await holderOf(key) : keyless.user(context)
    if (!holder) throw missingKey()
    return holder
  }
  const admitted = (holder: KeyHolder, scope: Scope) => {
    admit(holder, scope)
    return holder
  }
  const guard: Guard = async (context, key, scope) => {
    if (key) return admitted(await holderOf(key), scope)
    const holder = await keyless.admit(context, scope)
    if (!holder) throw missingKey()
    return holder
  }
  const guardChange: Guard = async (context, key, scope) => admitted(await identify(context, key), scope)
  return { identify, guard, guardChange, ...createSentKeys(keyless) }
}

const keyIn = ({ headers }: Request) => headers.get('key')

/**
 * `key: 'paste'` on a route lets a request through that may create pastes and has a token left, before the body is read.
 * `upload: true` is the same for a paste, and takes a bearer token for the key. `change: 'paste'` is the same without guests. `owner: true` takes any valid key, or a user, and no token.
 */
export const keyCheck = ({ guard, guardChange, identify, uploadKey }: KeyChecks) =>
  new Elysia({ name: 'key-check' }).macro({
    key: (scope: Scope) => ({
      resolve: async ({ request, server }) => ({
        holder: await guard({ request, server }, keyIn(request), scope),
      }),
    }),
    upload: (_: true) => ({
      resolve: async ({ request, server }) => ({
        holder: await guard({ request, server }, uploadKey({ request, server }), 'paste'),
      }),
    }),
    change: (scope: Scope) => ({
      resolve: async ({ request, server }) => ({
        holder: await guardChange({ request, server }, keyIn(request), scope),
      }),
    }),
    owner: (_: true) => ({
      resolve: async ({ request, server }) => ({
        holder: await identify({ request, server }, keyIn(request)),
      }),
    }),
  })
