import { version } from '../../package.json' with { type: 'json' }
import { siteAt } from './assets.ts'
import type { Origin } from './origin.ts'
import { type RequestContext, resource } from './resource.ts'
import { json, page } from './respond.ts'

export type DescriptionRoutesParts = { origin: Origin }

/** `GET /openapi.json` for programs and `GET /docs` for people: one description, with the addresses of the request. */
export const descriptionRoutes = ({ origin }: DescriptionRoutesParts) => {
  // Loaded when first asked for: a start is 2 ms shorter, and who never looks saves 1 MB.
  const describe = async (context: RequestContext) => {
    const { describeApi } = await import('../openapi/document.ts')
    return describeApi(origin.addresses(context), version)
  }

  return resource('/openapi.json', { get: async (context) => json(await describe(context)) }).use(
    resource('/docs', {
      get: async (context) => {
        const { DocsPage } = await import('../../views/docs-page.tsx')
        const { outlineOf } = await import('../openapi/outline.ts')
        const description = await describe(context)
        const introduction = description.info.description.split('\n\n')
        const sections = outlineOf(description)
        const address = origin.addresses(context).baseUrl
        return page(DocsPage({ site: siteAt('./'), version, address, introduction, sections }) as string)
      },
    }),
  )
}
