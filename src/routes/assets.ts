import codeCss from '../../views/code.css' with { type: 'text' }
import codeBlockCss from '../../views/code-block.css' with { type: 'text' }
import icon from '../../views/icon.svg' with { type: 'text' }
import type { Site } from '../../views/layout.tsx'
import styleCss from '../../views/style.css' with { type: 'text' }
import { notFound } from '../errors.ts'
import { resource } from './resource.ts'
import { assetHeaders, conditional, entityTag } from './respond.ts'

const css = 'text/css; charset=utf-8'

/** Name → what is served under `/assets/`. Style sheets are named by their hash and never change. */
const assets = new Map<string, { body: string; type: string; etag: string }>()

const embed = (stem: string, extension: string, body: string, type: string) => {
  const etag = entityTag(body)
  const name = `${stem}-${etag.slice(1, -1)}.${extension}`
  assets.set(name, { body, type, etag })
  return `assets/${name}`
}

const paths = {
  styles: [embed('style', 'css', styleCss, css), embed('code', 'css', codeBlockCss + codeCss, css)],
  icon: embed('icon', 'svg', icon, 'image/svg+xml'),
}

/** What a page needs of the site. @param root how far up the site's root is */
export const siteAt = (root: string): Site => ({ root, ...paths })

export const assetRoutes = () =>
  resource('/assets/:name', {
    get: ({ request, params }) => {
      const asset = assets.get(params.name ?? '')
      if (!asset) throw notFound('There is no such asset')
      return conditional(request, asset.body, asset.etag, { ...assetHeaders, 'Content-Type': asset.type })
    },
  })
