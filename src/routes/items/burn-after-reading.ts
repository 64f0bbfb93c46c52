import { LimitedPage } from '../../../views/limited-page.tsx'
import { forbidden } from '../../errors.ts'
import { leavingPolicy, page } from '../../http/answers.ts'
import type { SiteAt } from '../../http/assets.ts'
import type { StoredLink } from '../../items/link.ts'
import type { StoredPaste } from '../../items/paste.ts'

/**
 * The page in front of a paste that burns after reading. Its button POSTs to the same address, `?lang=` included.
 * @param isMistyped true for an unknown `?lang=`: the button leaves it out, because POST refuses it
 */
export const burningPastePage = (siteAt: SiteAt, { readsLeft = 0 }: StoredPaste, isMistyped: boolean) =>
  page(
    LimitedPage({
      site: siteAt('../'),
      kind: 'paste',
      left: readsLeft,
      ...(isMistyped && { action: '?' }),
    }) as string,
  )

/** The page in front of a link that burns; also shown for its preview. */
export const burningLinkPage = (siteAt: SiteAt, { id, visitsLeft = 0 }: StoredLink) => {
  const facts = { site: siteAt('../'), kind: 'short link', left: visitsLeft, action: id } as const
  return page(LimitedPage(facts) as string, 200, leavingPolicy)
}

/** The error for programs that do not send POST. */
export const burningPaste = ({ id }: StoredPaste) =>
  forbidden(
    `This paste burns after reading: each read counts. Send POST to /p/raw/${id} to read it, or open /p/${id} in a browser.`,
  )
export const burningLink = ({ id }: StoredLink) =>
  forbidden(
    `This short link burns after its last visit: each visit counts. Send POST to /s/${id} to follow it, or open it in a browser.`,
  )
