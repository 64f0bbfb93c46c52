import { json, outcomeOf } from '../../http/answers.ts'
import { maxLinkBodyBytes, readJsonObject } from '../../http/body.ts'
import type { Origin } from '../../http/origin.ts'
import type { KeyedContext, RequestContext } from '../../http/routes.ts'
import { checkGuestCreation } from '../../http/who.ts'
import { asAsked, createView } from '../../items/field.ts'
import { linkTable } from '../../items/link.ts'
import type { Log } from '../../log.ts'
import type { KeyHolder } from '../../services/keys.ts'
import type { Links } from '../../services/links.ts'

export type LinkCreationParts = { links: Pick<Links, 'create'>; origin: Origin; log: Log }

const createdLink = createView(linkTable, 'created')

export const createLinkCreation = ({ links, origin, log }: LinkCreationParts) => {
  /** Stores and logs a short link. `answer` is the body of `POST /shortener`. */
  const store = async (context: RequestContext, body: object, holder: KeyHolder) => {
    checkGuestCreation(holder, body)
    const owner = holder.name
    const addresses = origin.addresses(context)
    const { item, name, deletionKey } = await links.create(body, owner, addresses.isOwnLink)
    const what = deletionKey === undefined ? 'changed' : 'created'
    log('info', `short link ${what}`, { id: item.id, owner, client: origin.client(context) })
    const shortendUrl = addresses.link(name)
    const shown = {
      ...{ ...asAsked(body, item), shortendUrl },
      ...(deletionKey !== undefined && { deletionUrl: addresses.linkDeletion(deletionKey) }),
    }
    return { item, name, answer: { success: true, message: `Short link ${what}`, ...createdLink(shown) } }
  }

  return {
    store,
    /** `POST /shortener` */
    create: async ({ request, server, holder }: KeyedContext) => {
      const body = await readJsonObject({ request, server }, maxLinkBodyBytes)
      const { answer } = await store({ request, server }, body, holder)
      return json(answer, ...outcomeOf(answer, answer.shortendUrl))
    },
  }
}
export type LinkCreation = ReturnType<typeof createLinkCreation>
