import { LinkPage } from '../../views/link-page.tsx'
import { escapeText } from '../highlight/render.ts'
import type { StoredLink } from '../schema.ts'
import type { Links } from '../services/links.ts'
import { siteAt } from './assets.ts'
import { dateFacts } from './format.ts'
import { resource } from './resource.ts'
import { page, redirectHeaders } from './respond.ts'

/** RFC 9110 advises a short note for clients that do not follow; the address is serialised, so it holds no quote. */
const redirect = ({ url }: StoredLink) =>
  new Response(`<a href="${escapeText(url).replaceAll('"', '&quot;')}">Found</a>\n`, {
    status: 302,
    headers: { ...redirectHeaders, Location: url },
  })

const preview = ({ url, createdAt }: StoredLink) =>
  page(LinkPage({ site: siteAt('../'), url, host: new URL(url).host, ...dateFacts(createdAt) }) as string)

/** `GET /s/<id>` follows, `GET /s/<id>+` shows where it goes */
export const linkPages = ({ links }: { links: Links }) =>
  resource('/s/:id', {
    get: ({ params: { id = '' } }) => {
      const answer = id.endsWith('+') ? preview : redirect
      const link = links.find(id.endsWith('+') ? id.slice(0, -1) : id)
      return link instanceof Promise ? link.then(answer) : answer(link)
    },
  })
