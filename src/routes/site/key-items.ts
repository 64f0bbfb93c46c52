import { ItemsPage, type ListedItem } from '../../../views/items-page.tsx'
import { invalid } from '../../errors.ts'
import { dateFacts, expiryFacts, publicName } from '../../format.ts'
import { languageName } from '../../highlight/languages/languages.ts'
import { page } from '../../http/answers.ts'
import type { SiteAt } from '../../http/assets.ts'
import type { Fields } from '../../http/forms.ts'
import type { Origin } from '../../http/origin.ts'
import type { RequestContext } from '../../http/routes.ts'
import type { Identify } from '../../http/who.ts'
import type { StoredLink } from '../../items/link.ts'
import type { StoredPaste } from '../../items/paste.ts'
import type { Counts } from '../../services/counts.ts'
import type { Wanted } from '../../services/finding.ts'
import type { Item } from '../../services/items.ts'
import type { ItemsOfKey, Listed } from '../../services/own-items.ts'
import { sortsOf } from '../items/wanted.ts'

export type KeyItemsParts = {
  pastesOfKey: Pick<ItemsOfKey<StoredPaste>, 'list' | 'search'>
  linksOfKey: Pick<ItemsOfKey<StoredLink>, 'list' | 'search'>
  counts: Pick<Counts, 'of'>
  identify: Identify
  origin: Origin
  siteAt: SiteAt
}

/** Per kind. A next page would need the key again, and no page contains the key. */
const mostShown = 50

const sorts = Object.values(sortsOf.paste)

/** What a form asks to find; `undefined` for everything, newest first. @throws {AppError} `invalid` */
const wantedOf = ({ q = '', sort = '' }: Fields): Wanted | undefined => {
  const [text, order] = [q.trim(), sorts.find((one) => one === (sort || 'created'))]
  if (!order) throw invalid(`"sort" must be one of ${sorts.join(', ')}`)
  return text === '' && order === 'created' ? undefined : { text, sort: order }
}

/** What a key made, or what is found of it, for browsers without JavaScript. */
export const createKeyItems = (parts: KeyItemsParts) => {
  const { pastesOfKey, linksOfKey, counts, identify, origin, siteAt } = parts
  /** @throws {AppError} `unauthorized`, `invalid`; storage errors */
  return async (context: RequestContext, fields: Fields): Promise<Response> => {
    const owner = (await identify(context, fields.key ?? null)).name
    const wanted = wantedOf(fields)
    const addresses = origin.addresses(context)
    const ofPaste = (paste: Listed<StoredPaste>): ListedItem => ({
      name: paste.title || 'Untitled paste',
      url: addresses.paste(publicName(paste)),
      about: languageName(paste.language),
      uses: counts.of('paste', paste.id),
      ...dateFacts(paste),
      ...expiryFacts(paste),
    })
    const ofLink = (link: Listed<StoredLink>): ListedItem => ({
      name: link.url,
      url: addresses.link(publicName(link)),
      about: publicName(link),
      uses: counts.of('link', link.id),
      ...dateFacts(link),
      ...expiryFacts(link),
    })
    const pageOf = <T extends Item>({ list, search }: Pick<ItemsOfKey<T>, 'list' | 'search'>) =>
      wanted ? search(owner, wanted, mostShown) : list(owner, mostShown)
    const [pastes, links] = await Promise.all([pageOf(pastesOfKey), pageOf(linksOfKey)])
    return page(
      ItemsPage({
        site: siteAt('./'),
        owner,
        typed: { q: wanted?.text, sort: fields.sort },
        pastes: pastes.items.map(ofPaste),
        links: links.items.map(ofLink),
        isMore: pastes.after !== undefined || links.after !== undefined,
        isComplete: [pastes, links].every((found) => !('isComplete' in found) || found.isComplete),
      }) as string,
    )
  }
}
