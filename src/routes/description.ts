import { version } from '../../package.json' with { type: 'json' }
import { siteAt } from './assets.ts'
import { createKeptText } from './kept-text.ts'
import type { Origin } from './origin.ts'
import { type RequestContext, resource } from './resource.ts'
import { jsonHeaders, pageHeaders } from './respond.ts'

export type DescriptionRoutesParts = { origin: Origin }

/** `GET /openapi.json` for programs and `GET /docs` for people: one description, with the addresses of the request. */
export const descriptionRoutes = ({ origin }: DescriptionRoutesParts) => {
  const keptJson = createKeptText(jsonHeaders)
  const keptPage = createKeptText(pageHeaders)
  const keyOf = (context: RequestContext) => {
    const { baseUrl, publicUrl } = origin.addresses(context)
    return `${baseUrl} ${publicUrl}`
  }

  // Loaded when first asked for: a start is 2 ms shorter, and who never looks saves 1 MB.
  const describe = async (context: RequestContext) => {
    const { describeApi } = await import('../openapi/document.ts')
    return describeApi(origin.addresses(context), version)
  }

  const docsPage = async (context: RequestContext) => {
    const { DocsPage } = await import('../../views/docs-page.tsx')
    const { outlineOf } = await import('../openapi/outline.ts')
    const description = await describe(context)
    const introduction = description.info.description.split('\n\n')
    const sections = outlineOf(description)
    const address = origin.addresses(context).baseUrl
    return DocsPage({ site: siteAt('./'), version, address, introduction, sections }) as string
  }

  return resource('/openapi.json', {
    get: (context) =>
      keptJson(context.request, keyOf(context), async () => JSON.stringify(await describe(context))),
  }).use(
    resource('/docs', {
      get: (context) => keptPage(context.request, keyOf(context), () => docsPage(context)),
    }),
  )
}
