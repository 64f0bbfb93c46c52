import { clientCode } from '../../views/client-code.ts' with { type: 'macro' }
import icon from '../../views/icon.svg' with { type: 'text' }
import type { Site } from '../../views/layout.tsx'
import { notFound } from '../errors.ts'
import { readableOn } from '../highlight/contrast.ts'
import { languageChoices } from '../highlight/languages/languages.ts'
import type { Config } from '../settings/config.ts'
import { answer, assetHeaders, entityTag } from './answers.ts'
import { type Body, createBody, encoded } from './negotiate.ts'
import type { NamedContext } from './routes.ts'

const types = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
}

type Assets = Map<string, Body>

/** What is served under `/assets/`. A name holds the hash of its content, so the content never changes. */
const embedIn = (assets: Assets) => (stem: string, extension: keyof typeof types, text: string) => {
  const etag = entityTag(text)
  const name = `${stem}-${etag.slice(1, -1)}.${extension}`
  const headers = { ...assetHeaders, Vary: 'Accept-Encoding', 'Content-Type': types[extension] }
  assets.set(name, createBody(text, headers, etag))
  return `assets/${name}`
}

/** What every server has, by name. */
const ownAssets: Assets = new Map()
const embed = embedIn(ownAssets)

const style = clientCode('../site.css')
const ownLook = clientCode('../own-look.css')

const paths: Omit<Site, 'root' | 'name' | 'footer'> = {
  styles: [embed('style', 'css', style)],
  formStyle: embed('forms', 'css', clientCode('../forms.css')),
  docsStyle: embed('docs', 'css', clientCode('../docs.css')),
  adminStyle: embed('admin', 'css', clientCode('../admin.css')),
  editStyle: embed('edit', 'css', clientCode('../edit.css')),
  diffStyle: embed('diff', 'css', clientCode('../diff.css')),
  viewStyles: {
    preview: embed('preview', 'css', clientCode('../preview.css')),
    table: embed('table', 'css', clientCode('../table.css')),
  },
  itemsStyle: embed('items', 'css', clientCode('../items.css')),
  logStyle: embed('log', 'css', clientCode('../log.css')),
  madeStyle: embed('made', 'css', clientCode('../made.css')),
  markedStyle: embed('marked', 'css', clientCode('../marked.css')),
  maskingStyle: embed('masking', 'css', clientCode('../masking.css')),
  icon: embed('icon', 'svg', icon),
  languages: embed(
    'languages',
    'json',
    JSON.stringify(languageChoices.map(({ id, name, spellings }) => [id, name, spellings])),
  ),
  scripts: {
    early: embed('early', 'js', clientCode('early.ts')),
    ages: embed('ages', 'js', clientCode('ages.ts')),
    picker: embed('picker', 'js', clientCode('picker.ts')),
    every: embed('every', 'js', clientCode('every-page.ts')),
    paste: embed('paste', 'js', clientCode('paste-page.ts')),
    made: embed('made', 'js', clientCode('made-page.ts')),
    view: embed('view', 'js', clientCode('view-early.ts')),
    follow: embed('follow', 'js', clientCode('follow-page.ts')),
    log: embed('log', 'js', clientCode('log-page.ts')),
    marked: embed('marked', 'js', clientCode('marked.ts')),
    home: embed('home', 'js', clientCode('home-page.ts')),
    items: embed('items', 'js', clientCode('items.ts')),
    masking: embed('masking', 'js', clientCode('masking.ts')),
    masker: embed('masker', 'js', clientCode('masking-worker.ts')),
    edit: embed('edit', 'js', clientCode('edit-page.ts')),
    docs: embed('docs', 'js', clientCode('docs-page.ts')),
    admin: embed('admin', 'js', clientCode('admin-page.ts')),
  },
}

/** What a page needs to know of the site. @param root path from the page to the root of the site */
export type SiteAt = (root: string) => Site

/** The look of a server. */
export type Brand = Pick<Config, 'name' | 'accent' | 'footer'>

/** The assets of a server: those that every one has, and style sheet and icon of its own where its look asks for them. */
export const createAssets = ({ name, accent, footer }: Brand) => {
  const assets = new Map(ownAssets)
  const site = { ...paths, name: name ?? 'Shortcrust', footer }
  const embedOwn = embedIn(assets)
  if ([name, accent, footer].some((given) => given !== undefined))
    site.styles = [
      embedOwn('style', 'css', style + ownLook + (accent === undefined ? '' : accentStyle(accent))),
    ]
  if (accent !== undefined) site.icon = embedOwn('icon', 'svg', accentIcon(accent, icon))
  const siteAt: SiteAt = (root) => ({ root, ...site })

  return {
    siteAt,
    /** `GET /assets/<name>` */
    readAsset: async ({ name, request }: NamedContext) => {
      const asset = assets.get(name)
      if (!asset) throw notFound('There is no such asset')
      return answer(request, await encoded(request, asset))
    },
  }
}
export type SiteAssets = ReturnType<typeof createAssets>

/** What the accent is read on: `--paper`, `--wash` and `--mark` of `views/style.css`. */
export const accentBackgrounds = {
  light: ['#ffffff', '#f6f4ef', '#fff6dc'],
  dark: ['#0d1117', '#161b22', '#2a2412'],
}

/** No colour is readable in both themes, so each gets the shade that is nearest to it. */
const shadesOf = (accent: string) => ({
  light: readableOn(accent, accentBackgrounds.light, '#000000'),
  dark: readableOn(accent, accentBackgrounds.dark, '#ffffff'),
})

/** Rules that come after those of all pages. The paper's colour is as readable on the accent as the accent on paper. */
export const accentStyle = (accent: string) => {
  const { light, dark } = shadesOf(accent)
  return `:root{--accent:light-dark(${light},${dark});--accent-ink:var(--paper)}`
}

/** The icon in the accent's shades. */
export const accentIcon = (accent: string, icon: string) => {
  const { light, dark } = shadesOf(accent)
  return icon.replaceAll('#8a4b08', light).replaceAll('#e8a75c', dark)
}
