import { apiHeaders, json, outcomeOf, rawHeaders } from '../../http/answers/respond.ts'
import { bodyLimit, readJsonObject } from '../../http/body/body.ts'
import { checkGuestCreation } from '../../http/edge/keyless.ts'
import type { Origin } from '../../http/edge/origin.ts'
import type { KeyChecks } from '../../http/key-check.ts'
import type { KeyedContext, RequestContext } from '../../http/route-list.ts'
import type { HasteCreated } from '../../items/answers.ts'
import { asAsked, createView, isDetected } from '../../items/field.ts'
import { pasteTable } from '../../items/paste.ts'
import type { Log } from '../../log/log.ts'
import type { KeyHolder } from '../../services/access/keys.ts'
import type { Pastes } from '../../services/pastes.ts'
import { readUpload } from './upload-body.ts'

export type PasteCreationParts = Pick<KeyChecks, 'guard' | 'hasteKey'> & {
  pastes: Pick<Pastes, 'create'>
  origin: Origin
  log: Log
  /** Limit of the text alone. */
  maxPasteBytes: number
}

const createdPaste = createView(pasteTable, 'created')

const textHeaders = { ...rawHeaders, ...apiHeaders, 'Cache-Control': 'no-store' }

/** Only a creation has a deletion link. */
const deletionOf = ({ deletionUrl }: { deletionUrl?: string }): Record<string, string> =>
  deletionUrl === undefined ? {} : { 'Deletion-Url': deletionUrl }

/** The ways to create a paste. */
export const createPasteCreation = (parts: PasteCreationParts) => {
  const { pastes, origin, log, guard, hasteKey, maxPasteBytes } = parts
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
    return { id: item.id, name, answer: { success: true, message: `Paste ${what}`, ...createdPaste(shown) } }
  }

  return {
    store,

    /** `POST /paste` */
    create: async ({ request, server, holder }: KeyedContext) => {
      const body = await readJsonObject(request, maxBodyBytes)
      const { answer } = await store({ request, server }, body, holder)
      return json(answer, ...outcomeOf(answer, answer.pasteUrl))
    },

    /** An upload with plain `curl`; answers with only the address: `PUT /<name>`, `PUT /`, or `POST /` with a key. */
    upload: async ({ request, server, holder, name = '' }: KeyedContext & { name?: string }) => {
      const body = await readUpload(request, name, maxPasteBytes)
      const { answer } = await store({ request, server }, body, holder)
      const [status, location] = outcomeOf(answer, answer.pasteUrl)
      const headers = { ...textHeaders, ...location, ...deletionOf(answer) }
      return new Response(`${answer.pasteUrl}\n`, { status, headers })
    },

    /** `POST /documents`, for clients of hastebin, which expect 200 instead of 201. */
    haste: async ({ request, server }: RequestContext) => {
      const holder = await guard({ request, server }, hasteKey({ request, server }), 'paste')
      const body = await readUpload(request, '', maxPasteBytes)
      const { id, answer } = await store({ request, server }, body, holder)
      return json({ key: id } satisfies HasteCreated, 200, deletionOf(answer))
    },
  }
}
export type PasteCreation = ReturnType<typeof createPasteCreation>
