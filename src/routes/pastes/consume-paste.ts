import type { Plain } from '../../../views/paste-props.ts'
import { methodNotAllowed } from '../../errors.ts'
import type { Highlighter } from '../../highlight/highlighter.ts'
import { isCut, renderPlain } from '../../highlight/lines.ts'
import { json, page, rawHeaders } from '../../http/answers.ts'
import type { SiteAt } from '../../http/assets.ts'
import { discardBody } from '../../http/listen.ts'
import { preferredForm } from '../../http/negotiate.ts'
import type { NamedContext } from '../../http/routes.ts'
import type { StoredPaste } from '../../items/paste.ts'
import type { TextPart } from '../../items/text/text-part.ts'
import type { Pastes } from '../../services/pastes.ts'
import { type Fitted, fitted, pageAsked } from './page-asked.ts'
import { publicPaste } from './paste-forms.ts'
import { feasible } from './paste-render.ts'
import { viewOf, withoutColours } from './paste-view.ts'
import { partAsked, partBody } from './raw-part.ts'

export type PasteConsumptionParts = {
  pastes: Pick<Pastes, 'consume'>
  highlighter: Highlighter
  siteAt: SiteAt
}

const raw = ({ text }: StoredPaste, part?: TextPart) =>
  new Response(part ? partBody(text, part) : text, {
    headers: { ...rawHeaders, 'Cache-Control': 'no-store' },
  })

/** Consumes a read and sends what was read. No cache may keep it, neither ours nor any other, so there is no entity tag. */
export const createPasteConsumption = ({ pastes, highlighter, siteAt }: PasteConsumptionParts) => {
  const site = siteAt('../')
  const consume = async ({ name }: NamedContext): Promise<StoredPaste> => {
    const paste = await pastes.consume(name)
    if (!paste) throw methodNotAllowed('GET, HEAD, OPTIONS')
    return { ...paste, readsLeft: (paste.readsLeft ?? 1) - 1 }
  }

  /** @returns the lines, what they show, and the reason if something is missing */
  const linesOf = async (
    { text, language: own }: StoredPaste,
    language: string,
    { show, ignored }: Fitted,
  ) => {
    const job = { text, language, ...(show && { show }) }
    const left = { ...(ignored && { ignored }) }
    const without = async (why?: Plain) => ({
      lines: await renderPlain(text, language),
      ...left,
      ...(why && withoutColours(why, show)),
    })
    if (language === 'text' && !show) return without()
    const possible = feasible(highlighter, job)
    if (!possible) return without('large')
    const { lines, isFailed } = await highlighter.highlight(possible, language === own)
    if (!lines) return without(isFailed ? 'failed' : 'late')
    return { lines, ...left, ...(show && { show }), ...(possible !== job && { plain: 'large' as const }) }
  }

  const forms = {
    page: async (context: NamedContext) => {
      // Throws for an unknown value before a read is consumed.
      const query = pageAsked(context.request)
      const paste = await consume(context)
      const language = query.language ?? paste.language
      const { lines, ...shown } = await linesOf(paste, language, fitted(query, language))
      const view = { paste, language, ...shown }
      // Sends the raw text if the page would show only a part: the paste may be deleted by now.
      return isCut(lines) ? raw(paste) : page([...viewOf(site, view, lines)].join(''))
    },
    json: async (context: NamedContext) => json(publicPaste(await consume(context))),
    raw: async (context: NamedContext) => {
      // Throws for a wrong part before a read is consumed.
      const part = partAsked(context.request)
      return raw(await consume(context), part)
    },
  }
  const answerIn = (form: keyof typeof forms, { name, request, server }: NamedContext) => {
    discardBody(request)
    return forms[form]({ name, request, server })
  }
  return {
    /** `POST /p/<name>` */
    consume: async ({ name, request, server }: NamedContext) =>
      answerIn(preferredForm(request), { name, request, server }),
    /** `POST /p/raw/<name>` */
    consumeRaw: async ({ name, request, server }: NamedContext) => answerIn('raw', { name, request, server }),
  }
}
