import { methodNotAllowed } from '../../errors.ts'
import type { Highlighter } from '../../highlight/highlighter.ts'
import { isCut, renderPlain } from '../../highlight/render.ts'
import { preferredForm } from '../../http/answers/negotiate.ts'
import { json, page, rawHeaders } from '../../http/answers/respond.ts'
import { discardBody } from '../../http/fast-path.ts'
import type { NamedContext } from '../../http/route-list.ts'
import type { StoredPaste } from '../../items/paste.ts'
import type { Pastes } from '../../services/pastes.ts'
import { publicPaste } from './paste-forms.ts'
import { languageAsked } from './paste-render.ts'
import { viewOf } from './paste-view.ts'

export type PasteConsumptionParts = { pastes: Pick<Pastes, 'consume'>; highlighter: Highlighter }

const raw = ({ text }: StoredPaste) =>
  new Response(text, { headers: { ...rawHeaders, 'Cache-Control': 'no-store' } })

/** Consumes a read and sends what was read. No cache may keep it, neither ours nor any other, so there is no entity tag. */
export const createPasteConsumption = ({ pastes, highlighter }: PasteConsumptionParts) => {
  const consume = async ({ name }: NamedContext): Promise<StoredPaste> => {
    const paste = await pastes.consume(name)
    if (!paste) throw methodNotAllowed('GET, HEAD, OPTIONS')
    return { ...paste, readsLeft: (paste.readsLeft ?? 1) - 1 }
  }

  /** @returns the lines, and the reason if the colours are missing */
  const linesOf = async ({ text, language: own }: StoredPaste, language: string) => {
    if (!highlighter.isHighlightable(text, language)) {
      const lines = await renderPlain(text, language)
      return language === 'text' ? { lines } : { lines, plain: 'large' as const }
    }
    const { lines, isFailed } = await highlighter.highlight(text, language, language === own)
    if (lines) return { lines }
    const plain = isFailed ? ('failed' as const) : ('late' as const)
    return { lines: await renderPlain(text, language), plain }
  }

  const forms = {
    page: async (context: NamedContext) => {
      // Throws for an unknown language before a read is consumed.
      const { language: asked } = languageAsked(context.request)
      const paste = await consume(context)
      const language = asked ?? paste.language
      const { lines, ...notice } = await linesOf(paste, language)
      const view = { paste, language, ...notice }
      // Sends the raw text if the page would show only a part: the paste may be deleted by now.
      return isCut(lines) ? raw(paste) : page([...viewOf(view, lines)].join(''))
    },
    json: async (context: NamedContext) => json(publicPaste(await consume(context))),
    raw: async (context: NamedContext) => raw(await consume(context)),
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
