import type { Job } from './child/protocol.ts'
import { hasLevels } from './languages/languages.ts'
import { countLines, inTurns, type Lines, renderPlain } from './lines.ts'
import { isShownAsLog, linesOf, renderLog } from './log/render-log.ts'

/** True where only the lines with a word are shown. */
export const isOfWord = ({ show }: Pick<Job, 'show'>) => show !== undefined && 'grep' in show

/** True for what the server renders itself: a log, and the lines of a plain text with a word. No step takes long. */
export const needsNoHighlighter = (job: Job) =>
  isShownAsLog(job) || (job.language === 'text' && isOfWord(job))

/** Lines without levels and times. */
const unread = (text: string) => ({ kinds: new Uint8Array(countLines(text)), times: new Uint8Array() })

/** A text without colours, or its lines with a word, however long it is. It cannot fail. */
export const renderWithoutColours = (job: Job): Promise<Lines> => {
  if (hasLevels(job.language) && isShownAsLog(job)) return renderLog(job)
  return isOfWord(job) ? inTurns(linesOf(job, unread(job.text))) : renderPlain(job.text, job.language)
}
