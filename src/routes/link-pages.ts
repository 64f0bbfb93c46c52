import type { Links } from '../services/links.ts'
import type { LinkAnswers } from './link-answers.ts'
import { resource } from './resource.ts'

/** `GET /s/<id>` follows, `GET /s/<id>+` shows where it goes */
export const linkPages = (links: Links, { redirect, preview }: LinkAnswers) =>
  resource('/s/:id', {
    get: async ({ request, params }) => {
      const id = params.id ?? ''
      if (id.endsWith('+')) return preview(await links.find(id.slice(0, -1)))
      return redirect(request, await links.find(id))
    },
  })
