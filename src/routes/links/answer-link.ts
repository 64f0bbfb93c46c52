import { LinkPage } from '../../../views/link-page.tsx'
import { methodNotAllowed } from '../../errors.ts'
import { dateFacts, expiryFacts, formatVisits, nameOf } from '../../format.ts'
import { escapeText } from '../../highlight/show-text.ts'
import { answer, type Prepared, page, prepare, redirectHeaders } from '../../http/answers.ts'
import type { SiteAt } from '../../http/assets.ts'
import { type AnswerByName, discardBody } from '../../http/listen.ts'
import { isBrowser } from '../../http/negotiate.ts'
import type { NamedContext } from '../../http/routes.ts'
import { isVisit } from '../../http/visits.ts'
import type { StoredLink } from '../../items/link.ts'
import type { Counts } from '../../services/counts.ts'
import type { Links } from '../../services/links.ts'
import { burningLink, burningLinkPage } from '../items/burn-after-reading.ts'

export type LinkAnswersParts = { links: Links; counts: Pick<Counts, 'add' | 'of'>; siteAt: SiteAt }

/** RFC 9110 advises a short note for clients that do not follow. The address is serialised, so it contains no quote. */
const note = (url: string, status: string) =>
  `<a href="${escapeText(url).replaceAll('"', '&quot;')}">${status}</a>\n`

const prepareRedirect = ({ url }: StoredLink) =>
  prepare(note(url, 'Found'), { status: 302, headers: { ...redirectHeaders, Location: url } })

/** Serves short links. */
export const createLinkAnswers = ({ links, counts, siteAt }: LinkAnswersParts) => {
  // A redirect is dropped together with its document in the cache.
  const redirects = new WeakMap<StoredLink, Prepared>()

  const redirectOf = (link: StoredLink) => {
    const known = redirects.get(link)
    if (known) return known
    const made = prepareRedirect(link)
    redirects.set(link, made)
    return made
  }

  const follow = (link: StoredLink, request: Request) => {
    if (links.isBurning(link)) {
      if (isBrowser(request)) return burningLinkPage(siteAt, link)
      throw burningLink(link)
    }
    if (isVisit(request)) counts.add('link', link.id)
    return answer(request, redirectOf(link))
  }

  const preview = async (name: string) => {
    const link = await links.find(name)
    if (links.isBurning(link)) return burningLinkPage(siteAt, link)
    const { id, url } = link
    const visits = formatVisits(counts.of('link', id))
    const facts = { name: nameOf(link), visits, ...dateFacts(link), ...expiryFacts(link) }
    return page(LinkPage({ site: siteAt('../'), url, host: new URL(url).host, ...facts }) as string)
  }

  /** `GET /s/<name>` redirects, `GET /s/<name>+` shows the target. */
  const answerLink: AnswerByName = (name, request) => {
    if (name.endsWith('+')) return preview(name.slice(0, -1))
    const link = links.peek(name)
    return link ? follow(link, request) : links.find(name).then((found) => follow(found, request))
  }

  return {
    answerLink,
    /** `POST /s/<name>` follows a link that burns after reading. */
    consume: async ({ name, request }: NamedContext) => {
      discardBody(request)
      const link = name.endsWith('+') ? undefined : await links.consume(name)
      if (!link) throw methodNotAllowed('GET, HEAD')
      // With 303, the client fetches the target by GET.
      const headers = { ...redirectHeaders, Location: link.url }
      return new Response(note(link.url, 'See other'), { status: 303, headers })
    },
  }
}
