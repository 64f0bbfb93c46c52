import { DeletionEndPage, DeletionPage, type KindName } from '../../../views/deletion-page.tsx'
import { AppError, type ErrorKind, invalid, methodNotAllowed } from '../../errors.ts'
import { asSentence, countOf, dateFacts, expiryFacts, publicName, sizeText } from '../../format.ts'
import { languageName } from '../../highlight/languages/languages.ts'
import { json, page } from '../../http/answers.ts'
import type { SiteAt } from '../../http/assets.ts'
import { statusOf } from '../../http/errors.ts'
import { discardBody } from '../../http/listen.ts'
import { isBrowser } from '../../http/negotiate.ts'
import type { StoredLink } from '../../items/link.ts'
import { pasteName } from '../../items/name.ts'
import type { StoredPaste } from '../../items/paste.ts'
import type { Done } from '../../items/schema.ts'
import type { Log } from '../../log.ts'
import type { Counts } from '../../services/counts.ts'
import type { Items } from '../../services/items.ts'

type Stored = StoredPaste | StoredLink
type Deletable = Pick<Items<Stored>, 'delete' | 'findByDeletionKey' | 'isBurning'>
type DeletionParts = { counts: Pick<Counts, 'of'>; log: Log; siteAt: SiteAt }
type Handler = (context: { request: Request }) => Promise<Response>

/** @throws {AppError} `invalid` */
const deletionKeyOf = (request: Request) => {
  const key = new URL(request.url).searchParams.get('key')
  if (!key) throw invalid('The query parameter "key" with a deletion key is missing')
  return key
}

/** What a maker knows an item by. */
const wordsOf = async (item: Stored, counts: DeletionParts['counts']) =>
  'url' in item
    ? {
        name: `/s/${publicName(item)}`,
        target: item.url,
        facts: [countOf(await counts.of('link', item.id), 'visit')],
      }
    : {
        name: pasteName(item),
        facts: [
          languageName(item.language),
          sizeText(Buffer.byteLength(item.text)),
          countOf(await counts.of('paste', item.id), 'read'),
        ],
      }

/** Heading of the page for a deletion link that deletes nothing. */
const headings: Partial<Record<ErrorKind, string>> = {
  gone: 'Already deleted',
  'not-found': 'Unknown deletion link',
}

/**
 * A deletion link: `GET` only shows, because previews and scanners fetch links; `POST` and `DELETE` delete. The link is
 * the permission.
 */
export const createDeletion = (kind: KindName, items: Deletable, { counts, log, siteAt }: DeletionParts) => {
  const site = siteAt('../')
  const endPage = (heading: string, message: string, status = 200) =>
    page(DeletionEndPage({ site, kind, heading, message: asSentence(message) }) as string, status)

  /** Browsers get these errors as a page with links. */
  const withEnds =
    (handler: Handler): Handler =>
    async ({ request }) => {
      try {
        return await handler({ request })
      } catch (error) {
        const heading = error instanceof AppError ? headings[error.kind] : undefined
        if (heading === undefined || !isBrowser(request)) throw error
        return endPage(heading, (error as AppError).message, statusOf(error as AppError))
      }
    }

  return {
    erase: withEnds(async ({ request }) => {
      discardBody(request)
      const { id } = await items.delete(deletionKeyOf(request))
      log('info', `${kind} deleted`, { id })
      const message = `The ${kind} was deleted`
      const isForm = request.method === 'POST' && isBrowser(request)
      return isForm ? endPage('Deleted', message) : json({ success: true, message } satisfies Done)
    }),

    show: withEnds(async ({ request }) => {
      if (!isBrowser(request))
        throw methodNotAllowed(
          'POST, DELETE',
          'GET changes nothing. Send POST or DELETE to this address to delete.',
        )
      const item = await items.findByDeletionKey(deletionKeyOf(request))
      const words = items.isBurning(item)
        ? { name: `A burn-after-reading ${kind}`, facts: [] }
        : { ...(await wordsOf(item, counts)), ...expiryFacts(item) }
      return page(DeletionPage({ site, kind, ...words, ...dateFacts(item) }) as string)
    }),
  }
}
