import { LinkPage } from '../../../views/link-page.tsx'
import { escapeText } from '../../highlight/render.ts'
import { answer, type Prepared, prepare } from '../../http/answers/prepared.ts'
import { isBrowser, page, redirectHeaders } from '../../http/answers/respond.ts'
import { siteAt } from '../../http/assets.ts'
import { isVisit } from '../../http/edge/visits.ts'
import { dateFacts, expiryFacts, formatVisits } from '../../http/format.ts'
import type { HotAnswer } from '../../http/hot-lane.ts'
import { limitedLink, limitedLinkPage } from '../../http/limited.ts'
import type { StoredLink } from '../../items/schema.ts'
import type { Counts } from '../../services/counts.ts'
import type { Links } from '../../services/links.ts'

export type LinkAnswersParts = { links: Links; counts: Pick<Counts, 'add' | 'of'> }

export type LinkAnswers = {
  /** Counts the visit. */
  redirect: (request: Request, link: StoredLink) => Response
  preview: (link: StoredLink) => Promise<Response>
  /** Spends a visit of a limited link and follows it; `undefined` for another one. */
  spend: (rawId: string) => Promise<Response | undefined>
  hot: HotAnswer
}

/** RFC 9110 advises a short note for clients that do not follow; the address is serialised, so it holds no quote. */
const note = (url: string, status: string) =>
  `<a href="${escapeText(url).replaceAll('"', '&quot;')}">${status}</a>\n`

const prepareRedirect = ({ url }: StoredLink) =>
  prepare(note(url, 'Found'), { status: 302, headers: { ...redirectHeaders, Location: url } })

/** What a short link answers. */
export const createLinkAnswers = ({ links, counts }: LinkAnswersParts): LinkAnswers => {
  const redirects = new WeakMap<StoredLink, Prepared>()

  const follow: LinkAnswers['redirect'] = (request, link) => {
    if (isVisit(request)) counts.add('link', link.id)
    const known = redirects.get(link)
    if (known) return answer(request, known)
    const made = prepareRedirect(link)
    redirects.set(link, made)
    return answer(request, made)
  }

  return {
    redirect: (request, link) => {
      if (!links.isLimited(link)) return follow(request, link)
      if (!isBrowser(request)) throw limitedLink(link)
      return limitedLinkPage(link)
    },
    preview: async (link) => {
      if (links.isLimited(link)) return limitedLinkPage(link)
      const { id, url, createdAt } = link
      const visits = formatVisits(await counts.of('link', id))
      const facts = { visits, ...dateFacts(createdAt), ...expiryFacts(link) }
      return page(LinkPage({ site: siteAt('../'), url, host: new URL(url).host, ...facts }) as string)
    },
    spend: async (rawId) => {
      const link = await links.spend(rawId)
      if (!link) return undefined
      // 303: what answers a POST is fetched by GET.
      const headers = { ...redirectHeaders, Location: link.url }
      return new Response(note(link.url, 'See other'), { status: 303, headers })
    },
    hot: (id, request) => {
      const link = links.peek(id)
      return link && follow(request, link)
    },
  }
}
