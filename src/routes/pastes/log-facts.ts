import type { PasteFilter, PasteLog } from '../../../views/paste-props.ts'
import type { View } from '../../highlight/languages/languages.ts'
import type { Lines } from '../../highlight/lines.ts'
import type { Show } from '../../highlight/log.ts'
import { type Level, levels } from '../../highlight/log.ts'
import { showText } from '../../highlight/show-text.ts'
import type { StoredPaste } from '../../items/paste.ts'

/** The query that asks for a page: with its `?`, or empty. */
export const queryOf = (asked: { lang?: string | undefined; view?: View; level?: Level; grep?: string }) => {
  const given = Object.entries(asked).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return given.length ? `?${new URLSearchParams(given)}` : ''
}

type LogView = { paste: StoredPaste; language: string; show?: Show }

/** The lines of each level, as links to those with this level and above; the most important first. */
const logOf = (view: LogView, { log }: Lines, lang: string | undefined): PasteLog | undefined => {
  if (!log) return undefined
  const asked = view.show && !('view' in view.show) ? view.show : {}
  const { grep } = asked
  const found = levels.toReversed().flatMap((level) => {
    const count = log.counts[level] ?? 0
    const query = queryOf({ lang, level, ...(grep !== undefined && { grep }) })
    return count > 0 ? [{ level, count, query, isShown: level === asked.level }] : []
  })
  return { levels: found, first: log.first, hasErrors: Boolean(log.counts.error ?? log.counts.fatal) }
}

const filterOf = ({ show }: LogView, lines: Lines, lang: string | undefined): PasteFilter => {
  const { level, grep } = show && !('view' in show) ? show : {}
  const isFiltered = level !== undefined || grep !== undefined
  return {
    lang,
    level,
    grep,
    grepHtml: grep === undefined ? undefined : showText(grep),
    ...(isFiltered && { kept: lines.kept ?? lines.shown, total: lines.total }),
    whole: queryOf({ lang }) || '?',
  }
}

/** What a page says of a log, and of a filter. The page of a burn-after-reading paste shows it without links. */
export const logFactsOf = (view: LogView, lines: Lines) => {
  const lang = view.language === view.paste.language ? undefined : view.language
  const log = logOf(view, lines, lang)
  const filter = filterOf(view, lines, lang)
  return {
    ...(log && { log }),
    ...(lines.log?.times !== undefined && { times: lines.log.times }),
    ...((log || filter.kept !== undefined) && { filter }),
  }
}
