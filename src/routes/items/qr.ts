import { nameOf } from '../../format.ts'
import { pageHeaders } from '../../http/answers.ts'
import type { Origin } from '../../http/origin.ts'
import type { NamedContext } from '../../http/routes.ts'

type Item = { id: string; alias?: string }
type Findable = { find: (name: string) => Item | Promise<Item> }

/** The address of an item as a QR code, to open it on a phone. */
export const createQr =
  (items: Findable, kind: 'paste' | 'link', origin: Origin) =>
  async ({ name, request, server }: NamedContext) => {
    const item = await items.find(name)
    const { renderSVG } = await import('uqr')
    return new Response(renderSVG(origin.addresses({ request, server })[kind](nameOf(item)), { border: 2 }), {
      headers: { ...pageHeaders, 'Content-Type': 'image/svg+xml' },
    })
  }
