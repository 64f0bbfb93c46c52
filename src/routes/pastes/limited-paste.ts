import type { Highlighter } from '../../highlight/highlighter.ts'
import { renderPlain } from '../../highlight/plain.ts'
import { isCut } from '../../highlight/render.ts'
import { json, page, preferredForm, rawHeaders } from '../../http/answers/respond.ts'
import type { RequestContext } from '../../http/resource.ts'
import type { StoredPaste } from '../../items/schema.ts'
import type { Pastes } from '../../services/pastes.ts'
import { publicPaste } from './page/paste-forms.ts'
import { languageAsked } from './page/paste-render.ts'
import { viewOf } from './page/paste-view.ts'

export type LimitedPasteParts = { pastes: Pick<Pastes, 'spend'>; highlighter: Highlighter }

type Spend = (context: RequestContext) => Promise<Response | undefined>

/** Each is `undefined` where the paste is not limited. */
export type LimitedPaste = { spend: Spend; spendRaw: Spend }

const raw = ({ text }: StoredPaste) =>
  new Response(text, { headers: { ...rawHeaders, 'Cache-Control': 'no-store' } })

/** Spends a read and answers what was read, which nothing keeps: no cache of ours, no entity tag, no cache on the way. */
export const createLimitedPaste = ({ pastes, highlighter }: LimitedPasteParts): LimitedPaste => {
  const spend = async ({ params }: RequestContext): Promise<StoredPaste | undefined> => {
    const paste = await pastes.spend(params.id ?? '')
    return paste && { ...paste, readsLeft: (paste.readsLeft ?? 1) - 1 }
  }

  /** @returns the lines, and why they have no colours where they should have some */
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

  const spendPage: Spend = async (context) => {
    // Before anything is spent.
    const { language: asked } = languageAsked(context.request)
    const paste = await spend(context)
    if (!paste) return undefined
    const language = asked ?? paste.language
    const { lines, ...notice } = await linesOf(paste, language)
    const view = { paste, language, ...notice }
    // A page that shows less than the text would lose the rest: the paste may be gone by now.
    return isCut(lines) ? raw(paste) : page([...viewOf(view, lines)].join(''))
  }

  const forms: Record<ReturnType<typeof preferredForm>, Spend> = {
    page: spendPage,
    json: async (context) => {
      const paste = await spend(context)
      return paste && json(publicPaste(paste))
    },
    raw: async (context) => {
      const paste = await spend(context)
      return paste && raw(paste)
    },
  }
  return { spend: (context) => forms[preferredForm(context.request)](context), spendRaw: forms.raw }
}
