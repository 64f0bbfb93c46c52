import { version } from '../../../package.json' with { type: 'json' }
import { createKeptText } from '../../http/answers/kept-text.ts'
import { jsonHeaders, pageHeaders } from '../../http/answers/respond.ts'
import { siteAt } from '../../http/assets.ts'
import type { Origin } from '../../http/edge/origin.ts'
import type { RequestContext } from '../../http/route-list.ts'

/** `GET /openapi.json` for programs and `GET /docs` for people: one description, with the addresses of the request. */
export const createDescription = (origin: Origin) => {
  // Loaded when first asked for: a start is 2 ms shorter, and who never looks saves 1 MB.
  const describe = async (own: string) => {
    const { describeApi } = await import('../../describe/describe.ts')
    return describeApi(origin.addressesAt(own), version)
  }

  const docsPage = async (own: string) => {
    const { DocsPage } = await import('../../../views/docs-page.tsx')
    const { outlineOf } = await import('../../describe/outline.ts')
    const { languageChoices } = await import('../../highlight/languages/languages.ts')
    const description = await describe(own)
    const introduction = description.info.description.split('\n\n')
    const sections = outlineOf(description)
    const address = origin.addressesAt(own).baseUrl
    const facts = { version, address, introduction, sections, languages: languageChoices }
    return DocsPage({ site: siteAt('./'), ...facts }) as string
  }

  const json = createKeptText(jsonHeaders, async (own) => JSON.stringify(await describe(own)))
  const page = createKeptText(pageHeaders, docsPage)
  return {
    json: async ({ request, server }: RequestContext) => json(request, origin.own({ request, server })),
    page: async ({ request, server }: RequestContext) => page(request, origin.own({ request, server })),
  }
}
