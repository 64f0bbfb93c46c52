import { LimitedPage } from '../../../views/limited-page.tsx'
import { LinkPage } from '../../../views/link-page.tsx'
import { forbidden, methodNotAllowed } from '../../errors.ts'
import { dateFacts, expiryFacts, formatVisits, publicName } from '../../format.ts'
import { escapeText } from '../../highlight/show-text.ts'
import {
  answer,
  json,
  leavingPolicy,
  outcomeOf,
  type Prepared,
  page,
  prepare,
  redirectHeaders,
} from '../../http/answers.ts'
import type { SiteAt } from '../../http/assets.ts'
import { maxLinkBodyBytes, readJsonObject } from '../../http/body.ts'
import { type AnswerByName, discardBody } from '../../http/listen.ts'
import { isBrowser } from '../../http/negotiate.ts'
import type { Origin } from '../../http/origin.ts'
import type { KeyedContext, NamedContext, RequestContext } from '../../http/routes.ts'
import { isVisit } from '../../http/visits.ts'
import { checkGuestCreation } from '../../http/who.ts'
import { asAsked, createView } from '../../items/field.ts'
import { linkTable, type StoredLink } from '../../items/link.ts'
import type { Log } from '../../log.ts'
import type { Counts } from '../../services/counts.ts'
import type { KeyHolder } from '../../services/keys.ts'
import type { Links } from '../../services/links.ts'

/** The page in front of a link that burns; also shown for its preview. */
const burningLinkPage = (siteAt: SiteAt, { id, visitsLeft = 0 }: StoredLink) => {
  const facts = { site: siteAt('../'), kind: 'short link', left: visitsLeft, action: id } as const
  return page(LimitedPage(facts) as string, 200, leavingPolicy)
}

/** The error for programs that do not send POST. */
const burningLink = ({ id }: StoredLink) =>
  forbidden(
    `This short link burns after its last visit: each visit counts. Send POST to /s/${id} to follow it, or open it in a browser.`,
  )

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
    const visits = formatVisits(await counts.of('link', id))
    const facts = { name: publicName(link), visits, ...dateFacts(link), ...expiryFacts(link) }
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
