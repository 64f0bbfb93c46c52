import { limitedResource } from '../../http/limited.ts'
import type { Links } from '../../services/links.ts'
import type { LinkAnswers } from './link-answers.ts'

/** `GET /s/<id>` follows, `GET /s/<id>+` shows where it goes, both also by alias; a limited link is followed by `POST` */
export const linkPages = (links: Links, { redirect, preview, spend }: LinkAnswers) =>
  limitedResource(
    '/s/:id',
    async (id) => links.isLimited(await links.find(id)),
    {
      get: async ({ request, params }) => {
        const id = params.id ?? ''
        if (id.endsWith('+')) return preview(await links.find(id.slice(0, -1)))
        return redirect(request, await links.find(id))
      },
      post: async ({ params }) => {
        const id = params.id ?? ''
        return id.endsWith('+') ? undefined : spend(id)
      },
    },
    false,
  )
