import { HomePage } from '../../views/home-page.tsx'
import { siteAt } from './assets.ts'
import type { Origin } from './origin.ts'
import { resource } from './resource.ts'
import { page } from './respond.ts'

const curl = (url: string, body: object) =>
  `curl ${url} -H 'key: YOUR_API_KEY' \\\n  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(body)}'`

/** `GET /` says what this is. */
export const homeRoutes = ({ origin }: { origin: Origin }) =>
  resource('/', {
    get: (context) => {
      const { baseUrl } = origin.addresses(context)
      const paste = { text: 'print(1)', title: 'One', description: '', language: 'python' }
      return page(
        HomePage({
          site: siteAt('./'),
          pasteCommand: curl(`${baseUrl}/paste`, paste),
          linkCommand: curl(`${baseUrl}/shortener`, { url: 'https://example.org/a/long/address' }),
        }) as string,
      )
    },
  })
