import { addressAnswer, deletionOf, json, outcomeOf } from '../../http/answers.ts'
import { bodyLimit, readJsonObject } from '../../http/body.ts'
import type { Origin } from '../../http/origin.ts'
import type { KeyedContext, RequestContext } from '../../http/routes.ts'
import { checkGuestCreation, type KeyChecks } from '../../http/who.ts'
import type { HasteCreated } from '../../items/answers.ts'
import { asAsked, createView, isDetected } from '../../items/field.ts'
import { pasteTable } from '../../items/paste.ts'
import type { Log } from '../../log.ts'
import type { KeyHolder } from '../../services/keys.ts'
import type { Pastes } from '../../services/pastes.ts'
import { readUpload, type UploadParts } from './upload-body.ts'

export type PasteCreationParts = Pick<KeyChecks, 'guard' | 'hasteKey'> & {
  pastes: Pick<Pastes, 'create'>
  origin: Origin
  log: Log
  /** Limit of the text alone. */
  maxPasteBytes: number
  /** Milliseconds since the epoch. */
  now: () => number
}

const createdPaste = createView(pasteTable, 'created')

/** The ways to create a paste. */
export const createPasteCreation = (parts: PasteCreationParts) => {
  const { pastes, origin, log, guard, hasteKey, maxPasteBytes, now } = parts
  const maxBodyBytes = bodyLimit(maxPasteBytes)

  /** Stores and logs a paste, or a change of one. `answer` is the body of `POST /paste`. */
  const store = async (context: RequestContext, body: object, holder: KeyHolder) => {
    checkGuestCreation(holder, body)
    const owner = holder.name
    const { item, name, deletionKey } = await pastes.create(body, owner)
    const what = deletionKey === undefined ? 'changed' : 'created'
    log('info', `paste ${what}`, { id: item.id, owner, client: origin.client(context) })
    const addresses = origin.addresses(context)
    const urls = { pasteUrl: addresses.paste(name), rawUrl: addresses.rawPaste(name) }
    const { language, ...asked } = asAsked(body, item)
    const shown = {
      ...{ ...asked, ...urls },
      // Who named a language knows it.
      ...('language' in body && isDetected(body.language) && { language }),
      ...(deletionKey !== undefined && { deletionUrl: addresses.pasteDeletion(deletionKey) }),
    }
    return { item, name, answer: { success: true, message: `Paste ${what}`, ...createdPaste(shown) } }
  }

  /** Stores what was uploaded. Who needs no key may still send one, which is then the one that counts. */
  const storeUpload = async (
    context: RequestContext,
    holder: KeyHolder,
    what: Pick<UploadParts, 'name' | 'mayBeForm'>,
  ) => {
    const { body, key } = await readUpload(context, { ...what, maxPasteBytes, now: now() })
    return store(context, body, holder.as && key ? await guard(context, key, 'paste') : holder)
  }

  return {
    store,

    /** `POST /paste` */
    create: async ({ request, server, holder }: KeyedContext) => {
      const body = await readJsonObject({ request, server }, maxBodyBytes)
      const { answer } = await store({ request, server }, body, holder)
      return json(answer, ...outcomeOf(answer, answer.pasteUrl))
    },

    /** An upload with plain `curl`; answers with only the address: `PUT /<name>`, `PUT /`, or `POST /` with a key. */
    upload: async ({ request, server, holder, name = '' }: KeyedContext & { name?: string }) => {
      const mayBeForm = request.method === 'POST'
      const { answer } = await storeUpload({ request, server }, holder, { name, mayBeForm })
      return addressAnswer(request, answer, answer.pasteUrl)
    },

    /** `POST /documents`, for clients of hastebin, which expect 200 instead of 201. */
    haste: async ({ request, server }: RequestContext) => {
      const holder = await guard({ request, server }, hasteKey({ request, server }), 'paste')
      const { item, answer } = await storeUpload({ request, server }, holder, { name: '' })
      return json({ key: item.id } satisfies HasteCreated, 200, deletionOf(answer))
    },
  }
}
export type PasteCreation = ReturnType<typeof createPasteCreation>
