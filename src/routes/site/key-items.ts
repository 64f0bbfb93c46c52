import { ItemsPage, type ListedItem } from '../../../views/items-page.tsx'
import { page } from '../../http/answers/respond.ts'
import { siteAt } from '../../http/assets.ts'
import type { Origin } from '../../http/edge/origin.ts'
import { dateFacts, expiryFacts, nameOf } from '../../http/format.ts'
import type { Identify } from '../../http/key-check.ts'
import type { RequestContext } from '../../http/route-list.ts'
import type { StoredLink } from '../../items/link.ts'
import type { StoredPaste } from '../../items/paste.ts'
import type { Counts } from '../../services/counts.ts'
import type { ItemsOfKey, Listed } from '../../services/own-items.ts'

export type KeyItemsParts = {
  pastesOfKey: Pick<ItemsOfKey<StoredPaste>, 'list'>
  linksOfKey: Pick<ItemsOfKey<StoredLink>, 'list'>
  counts: Pick<Counts, 'of'>
  identify: Identify
  origin: Origin
}

/** Per kind. A next page would need the key again, and no page contains the key. */
const mostShown = 50

/** The newest items of a key, for browsers without JavaScript. */
export const createKeyItems = ({ pastesOfKey, linksOfKey, counts, identify, origin }: KeyItemsParts) => {
  /** @throws {AppError} `unauthorized` */
  return async (context: RequestContext, key: string | null): Promise<Response> => {
    const owner = (await identify(key)).name
    const addresses = origin.addresses(context)
    const ofPaste = (paste: Listed<StoredPaste>): ListedItem => ({
      name: paste.title || 'Untitled paste',
      url: addresses.paste(nameOf(paste)),
      uses: counts.of('paste', paste.id),
      ...dateFacts(paste),
      ...expiryFacts(paste),
    })
    const ofLink = (link: Listed<StoredLink>): ListedItem => ({
      name: link.url,
      url: addresses.link(nameOf(link)),
      uses: counts.of('link', link.id),
      ...dateFacts(link),
      ...expiryFacts(link),
    })
    const [pastes, links] = await Promise.all([
      pastesOfKey.list(owner, mostShown),
      linksOfKey.list(owner, mostShown),
    ])
    return page(
      ItemsPage({
        site: siteAt('./'),
        owner,
        pastes: pastes.items.map(ofPaste),
        links: links.items.map(ofLink),
        isMore: pastes.after !== undefined || links.after !== undefined,
      }) as string,
    )
  }
}
