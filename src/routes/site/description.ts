import { version } from '../../../package.json' with { type: 'json' }
import { jsonHeaders, pageHeaders } from '../../http/answers.ts'
import type { SiteAt } from '../../http/assets.ts'
import { createKeptText } from '../../http/memory.ts'
import type { Addresses, Origin } from '../../http/origin.ts'
import type { RequestContext, RouteFacts } from '../../http/routes.ts'

/** `GET /s/:id` serves this too: a `+` after the id asks for it. */
const preview: RouteFacts = { method: 'GET', path: '/s/:id+', operationId: 'previewLink' }

/** Loaded at the first request: the start is 2 ms shorter, and a server that nobody asks saves 1 MB. */
export const describeRoutes = async (routes: readonly RouteFacts[], addresses: Addresses) => {
  const [
    { describeApi },
    { pasteDetails, diffDetails },
    { linkDetails },
    { itemDetails },
    { ownerDetails, siteDetails },
    compatible,
  ] = await Promise.all([
    import('../../describe/describe.ts'),
    import('../pastes/detail.ts'),
    import('../links/detail.ts'),
    import('../items/detail.ts'),
    import('./detail.ts'),
    import('../compatible/detail.ts'),
  ])
  const details = {
    ...{ ...pasteDetails, ...diffDetails, ...linkDetails, ...itemDetails },
    ...{ ...ownerDetails, ...siteDetails },
    ...Object.assign({}, ...Object.values(compatible)),
  }
  return describeApi([...routes, preview], details, addresses, version)
}

type DescriptionParts = { origin: Origin; siteAt: SiteAt }

/**
 * `GET /openapi.json` for programs and `GET /docs` for people: the same description, with the addresses of the request.
 * @param routes the routes of the app, complete when the first request arrives
 */
export const createDescription = (
  { origin, siteAt }: DescriptionParts,
  routes: () => readonly RouteFacts[],
) => {
  const describe = (own: string) => describeRoutes(routes(), origin.addressesAt(own))

  const docsPage = async (own: string) => {
    const { DocsPage } = await import('../../../views/docs-page.tsx')
    const { outlineOf } = await import('../../describe/outline.ts')
    const { languageChoices } = await import('../../highlight/languages/languages.ts')
    const description = await describe(own)
    const introduction = description.info.description.split('\n\n')
    const sections = outlineOf(description)
    const { baseUrl: address, publicUrl } = origin.addressesAt(own)
    const facts = { version, address, publicUrl, introduction, sections, languages: languageChoices }
    return DocsPage({ site: siteAt('./'), ...facts }) as string
  }

  const json = createKeptText(jsonHeaders, async (own) => JSON.stringify(await describe(own)))
  const page = createKeptText(pageHeaders, docsPage)
  return {
    json: async ({ request, server }: RequestContext) => json(request, origin.own({ request, server })),
    page: async ({ request, server }: RequestContext) => page(request, origin.own({ request, server })),
  }
}
