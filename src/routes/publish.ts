import type { Log } from '../log.ts'
import type { PasteCreated } from '../schema.ts'
import type { Pastes } from '../services/pastes.ts'
import { nameOf } from '../urls.ts'
import { expiryAnswer } from './format.ts'
import type { Origin } from './origin.ts'
import type { RequestContext } from './resource.ts'

export type PublisherParts = { pastes: Pick<Pastes, 'create'>; origin: Origin; log: Log }

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
    return { id: item.id, answer }
  }
