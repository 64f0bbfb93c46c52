import { pageHeaders } from '../../http/answers/respond.ts'
import type { Origin } from '../../http/edge/origin.ts'
import { resource } from '../../http/resource.ts'
import type { Links } from '../../services/links.ts'
import type { Pastes } from '../../services/pastes.ts'
import { nameOf } from '../../urls.ts'

export type QrRoutesParts = { pastes: Pick<Pastes, 'find'>; links: Pick<Links, 'find'>; origin: Origin }

const picture = async (address: string) => {
  const { renderSVG } = await import('uqr')
  return new Response(renderSVG(address, { border: 2 }), {
    headers: { ...pageHeaders, 'Content-Type': 'image/svg+xml' },
  })
}

/** `GET /qr/p/<id>`, `GET /qr/s/<id>`, also by alias: the address as a QR code, for a phone. */
export const qrRoutes = ({ pastes, links, origin }: QrRoutesParts) =>
  resource('/qr/p/:id', {
    get: async (context) => {
      const paste = await pastes.find(context.params.id ?? '')
      return picture(origin.addresses(context).paste(nameOf(paste)))
    },
  }).use(
    resource('/qr/s/:id', {
      get: async (context) => {
        const link = await links.find(context.params.id ?? '')
        return picture(origin.addresses(context).link(nameOf(link)))
      },
    }),
  )
