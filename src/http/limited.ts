import { LimitedPage } from '../../views/limited-page.tsx'
import { forbidden, methodNotAllowed } from '../errors.ts'
import type { StoredLink, StoredPaste } from '../items/schema.ts'
import { leavingPolicy, page } from './answers/respond.ts'
import { siteAt } from './assets.ts'
import { preflight } from './cors.ts'
import { discardBody, type Handler, type RequestContext, resource } from './resource.ts'

/**
 * What stands before a limited paste. Its button POSTs to the same address, with `?lang=` where it has one.
 * @param isMistyped true for a `?lang=` that is none: the button leaves it out, for a POST with it is refused
 */
export const limitedPastePage = ({ readsLeft = 0 }: StoredPaste, isMistyped: boolean) =>
  page(
    LimitedPage({
      site: siteAt('../'),
      kind: 'paste',
      left: readsLeft,
      ...(isMistyped && { action: '?' }),
    }) as string,
  )

/** What stands before a limited link, and takes the place of its preview. */
export const limitedLinkPage = ({ id, visitsLeft = 0 }: StoredLink) =>
  page(
    LimitedPage({ site: siteAt('../'), kind: 'short link', left: visitsLeft, action: id }) as string,
    200,
    leavingPolicy,
  )

/** What programs get that do not POST. */
export const limitedPaste = ({ id }: StoredPaste) =>
  forbidden(
    `This paste is limited, and each read counts. Send POST to /p/raw/${id} to read it, or open /p/${id} in a browser.`,
  )
export const limitedLink = ({ id }: StoredLink) =>
  forbidden(
    `This short link is limited, and each visit counts. Send POST to /s/${id} to follow it, or open it in a browser.`,
  )

type Methods = {
  get: Handler
  /** `undefined` for an item that is not limited. */
  post: (context: RequestContext) => Promise<Response | undefined>
}

/**
 * A path whose items take `POST` where they are limited, and otherwise only `GET`; `Allow` says which.
 * @param isLimitedAt rejects for an item that is not there
 * @param isShared whether web pages of any origin may use it
 */
export const limitedResource = (
  path: string,
  isLimitedAt: (rawId: string) => Promise<boolean>,
  { get, post }: Methods,
  isShared: boolean,
) => {
  const open = isShared ? 'GET, HEAD, OPTIONS' : 'GET, HEAD'
  const allowAt = async ({ id }: RequestContext['params']) => {
    try {
      return (await isLimitedAt(id ?? '')) ? `${open}, POST` : open
    } catch {
      // What is not there, or not whole, takes what every item takes; the method is what is wrong with this request.
      return open
    }
  }
  const spend: Handler = async (context) => {
    discardBody(context.request)
    const answer = await post(context)
    if (answer) return answer
    throw methodNotAllowed(open)
  }
  const options: Handler = async ({ params }) => preflight(await allowAt(params))
  return resource(path, { get, post: spend, ...(isShared && { options }) }, allowAt)
}
