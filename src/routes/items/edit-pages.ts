import { EditPage } from '../../../views/edit-page.tsx'
import { languageChoices } from '../../highlight/languages/languages.ts'
import { pageHeaders } from '../../http/answers.ts'
import type { SiteAt } from '../../http/assets.ts'
import { createKeptText } from '../../http/memory.ts'
import type { Sender } from '../../http/who.ts'
import { LinkChange } from '../../items/link.ts'
import { PasteChange } from '../../items/paste.ts'
import type { LifetimeChoice } from '../../services/options.ts'
import { controls, type Kind } from '../site/form-fields.ts'

type EditPagesParts = {
  changedLifetimes: readonly LifetimeChoice[]
  maxPasteBytes: number
  siteAt: SiteAt
}

const fields = { paste: PasteChange.properties, link: LinkChange.properties }

/**
 * The pages that change a paste or a short link. They are empty: a script asks for the item with the reader's key, or as the
 * user that a proxy names.
 */
export const createEditPages = ({ changedLifetimes, maxPasteBytes, siteAt }: EditPagesParts) => {
  const pageOf = (kind: Kind, sender?: Sender) =>
    createKeptText(
      pageHeaders,
      () =>
        EditPage({
          kind,
          site: siteAt('./'),
          controls: controls[kind].filter(({ field }) => Object.hasOwn(fields[kind], field)),
          languages: languageChoices,
          lifetimes: changedLifetimes,
          maxBytes: maxPasteBytes,
          sender,
          typed: {},
          problem: undefined,
        }) as string,
    )
  const kept = { paste: pageOf('paste'), link: pageOf('link') }
  return (kind: Kind, sender: Sender | undefined) =>
    sender?.as === 'user' ? pageOf(kind, sender) : kept[kind]
}
