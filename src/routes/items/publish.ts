import type { Origin } from '../../http/edge/origin.ts'
import { expiryAnswer } from '../../http/format.ts'
import type { RequestContext } from '../../http/resource.ts'
import type { LinkCreated, PasteCreated } from '../../items/schema.ts'
import type { Log } from '../../log.ts'
import type { Links } from '../../services/links.ts'
import type { Pastes } from '../../services/pastes.ts'
import { nameOf } from '../../urls.ts'

type CommonParts = { origin: Origin; log: Log }
export type PublisherParts = CommonParts & { pastes: Pick<Pastes, 'create'> }
export type LinkPublisherParts = CommonParts & { links: Pick<Links, 'create'> }

/** Stores a paste, logs it and names its addresses, whichever way it came: `answer` is that of `POST /paste`. */
export const createPublisher =
  ({ pastes, origin, log }: PublisherParts) =>
  async (context: RequestContext, body: object, owner: string) => {
    const { item, deletionKey } = await pastes.create(body, owner)
    log('info', 'paste created', { id: item.id, owner, client: origin.client(context) })
    const addresses = origin.addresses(context)
    const answer: PasteCreated = {
      success: true,
      message: 'Paste created',
      pasteUrl: addresses.paste(nameOf(item)),
      rawUrl: addresses.rawPaste(nameOf(item)),
      deletionUrl: addresses.pasteDeletion(deletionKey),
      ...expiryAnswer(body, item),
      ...(item.maxReads !== undefined && { maxReads: item.maxReads }),
    }
    return { id: item.id, name: nameOf(item), answer }
  }

/** The same for a short link: `answer` is that of `POST /shortener`. */
export const createLinkPublisher =
  ({ links, origin, log }: LinkPublisherParts) =>
  async (context: RequestContext, body: object, owner: string) => {
    const addresses = origin.addresses(context)
    const { item, deletionKey } = await links.create(body, owner, addresses.isOwnLink)
    log('info', 'short link created', { id: item.id, owner, client: origin.client(context) })
    const answer: LinkCreated = {
      success: true,
      message: 'Short link created',
      shortendUrl: addresses.link(nameOf(item)),
      deletionUrl: addresses.linkDeletion(deletionKey),
      ...expiryAnswer(body, item),
      ...(item.maxVisits !== undefined && { maxVisits: item.maxVisits }),
    }
    return { name: nameOf(item), answer }
  }
