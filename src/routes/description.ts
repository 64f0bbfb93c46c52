import { version } from '../../package.json' with { type: 'json' }
import { DocsPage } from '../../views/docs-page.tsx'
import { describeApi } from '../openapi/document.ts'
import { outlineOf } from '../openapi/outline.ts'
import { siteAt } from './assets.ts'
import type { Origin } from './origin.ts'
import { type RequestContext, resource } from './resource.ts'
import { json, page } from './respond.ts'

export type DescriptionRoutesParts = { origin: Origin }

/** `GET /openapi.json` for programs and `GET /docs` for people: one description, with the addresses of the request. */
export const descriptionRoutes = ({ origin }: DescriptionRoutesParts) => {
  const describe = (context: RequestContext) => describeApi(origin.addresses(context), version)

  return resource('/openapi.json', { get: (context) => json(describe(context)) }).use(
    resource('/docs', {
      get: (context) => {
        const description = describe(context)
        const introduction = description.info.description.split('\n\n')
        const sections = outlineOf(description)
        const address = origin.addresses(context).baseUrl
        return page(DocsPage({ site: siteAt('./'), version, address, introduction, sections }) as string)
      },
    }),
  )
}
