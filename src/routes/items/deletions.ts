import { DeletionEndPage, DeletionPage, type KindName } from '../../../views/deletion-page.tsx'
import { AppError, type ErrorKind, invalid, methodNotAllowed } from '../../errors.ts'
import { isBrowser, json, page } from '../../http/answers/respond.ts'
import { siteAt } from '../../http/assets.ts'
import { sharedResource } from '../../http/cors.ts'
import { statusOf } from '../../http/errors.ts'
import { dateFacts } from '../../http/format.ts'
import { discardBody, type Handler } from '../../http/resource.ts'
import type { Done, StoredLink, StoredPaste } from '../../items/schema.ts'
import type { Log } from '../../log.ts'
import type { Items } from '../../services/item-types.ts'
import { relativeRoot } from '../../urls.ts'

type Stored = StoredPaste | StoredLink
type Deletable = Pick<Items<Stored>, 'delete' | 'findByDeletionKey' | 'isLimited'>

export type DeletionRoutesParts = { pastes: Deletable; links: Deletable; log: Log }

/** @throws {AppError} `invalid` */
const deletionKeyOf = (request: Request) => {
  const key = new URL(request.url).searchParams.get('key')
  if (!key) throw invalid('The query parameter "key" with a deletion key is missing')
  return key
}

const nameOf = (item: Stored) => ('url' in item ? item.url : item.title || 'Untitled paste')

/** What a person reads above the message of a link that deletes nothing. */
const headings: Partial<Record<ErrorKind, string>> = {
  gone: 'Already deleted',
  'not-found': 'Unknown deletion link',
}

const deletion = (path: string, kind: KindName, items: Deletable, log: Log) => {
  const site = siteAt(relativeRoot(path))

  /** A browser gets a page with ways on. */
  const withEnds =
    (handler: Handler): Handler =>
    async (context) => {
      try {
        return await handler(context)
      } catch (error) {
        const heading = error instanceof AppError ? headings[error.kind] : undefined
        if (heading === undefined || !isBrowser(context.request)) throw error
        const { message } = error as AppError
        return page(DeletionEndPage({ site, kind, heading, message }) as string, statusOf(error as AppError))
      }
    }

  const erase: Handler = async ({ request }) => {
    discardBody(request)
    const { id } = await items.delete(deletionKeyOf(request))
    log('info', `${kind} deleted`, { id })
    const message = `The ${kind} was deleted`
    const isForm = request.method === 'POST' && isBrowser(request)
    return isForm
      ? page(DeletionEndPage({ site, kind, heading: 'Deleted', message }) as string)
      : json({ success: true, message } satisfies Done)
  }

  return sharedResource(path, {
    post: withEnds(erase),
    delete: withEnds(erase),
    get: withEnds(async ({ request }) => {
      if (!isBrowser(request))
        throw methodNotAllowed(
          'POST, DELETE',
          'GET changes nothing. Send POST or DELETE to this address to delete.',
        )
      const item = await items.findByDeletionKey(deletionKeyOf(request))
      const name = items.isLimited(item) ? `A limited ${kind}` : nameOf(item)
      return page(DeletionPage({ site, kind, name, ...dateFacts(item.createdAt) }) as string)
    }),
  })
}

/** `GET` shows, `POST` and `DELETE` delete: previews and scanners fetch links. The link is the permission. */
export const deletionRoutes = ({ pastes, links, log }: DeletionRoutesParts) =>
  deletion('/paste/delete', 'paste', pastes, log).use(deletion('/shortener/delete', 'short link', links, log))
