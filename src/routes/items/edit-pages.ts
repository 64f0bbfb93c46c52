import { EditPage } from '../../../views/edit-page.tsx'
import { languageChoices } from '../../highlight/languages/languages.ts'
import { createKeptText } from '../../http/answers/kept-text.ts'
import { pageHeaders } from '../../http/answers/respond.ts'
import type { SiteAt } from '../../http/assets.ts'
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

/** The pages that change a paste or a short link. They are empty: a script asks for the item with the reader's key. */
export const createEditPages = ({ changedLifetimes, maxPasteBytes, siteAt }: EditPagesParts) => {
  const pageOf = (kind: Kind) =>
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
          typed: {},
          problem: undefined,
        }) as string,
    )
  return { paste: pageOf('paste'), link: pageOf('link') }
}
