import { type Beginning, shareOf } from './beginning.ts'

/** The line below the header of a table: `|---|:-:|`. */
const isRule = (line: string) => /^\s{0,3}\|(?:\s{0,20}:?-{1,200}:?\s{0,20}\|){1,99}\s{0,20}$/.test(line)
const isRow = (line: string) => /^\s{0,3}\|.{0,500}\|\s{0,20}$/.test(line)
const columnsOf = (line = '') => line.split('|').length

/** A table of Markdown, perhaps with a few lines around it. */
const isMarkdownTable = (lines: readonly string[]) => {
  const rule = lines.findIndex(isRule)
  return rule > 0 && columnsOf(lines[rule]) === columnsOf(lines[rule - 1]) && shareOf(lines, isRow) >= 0.5
}

/** Elements that other languages of tags do not have. */
const opening =
  /^\s{0,99}<(?:div|span|p|ul|ol|li|h[1-6]|table|thead|tbody|tr|td|th|form|nav|main|section|article|footer|button|input|img|select|label|head|body|meta|link)(?:\s[^<>]{0,400})?\/?>/i
const closing =
  /(?:<\/[a-z][\w-]{0,40}>|\/>|<(?:br|hr|img|input|meta|link)(?:\s[^<>]{0,400})?>|-->)\s{0,99}$/i
/** Templates, components, and Markdown with tags in it. */
const isOther = (line: string) =>
  /\{\{|\{%|<[?%]|\bclassName=|=\{|\s(?:v-|@|:|\*ng)\w|^(?:#{1,6} |```|[-*] )/.test(line)

/** A part of a page: tags from its first line to its last one, most of them known ones. */
const isHtmlPart = ({ lines, isWhole }: Beginning) => {
  if (!opening.test(lines[0] ?? '') || (isWhole && !closing.test(lines.at(-1) ?? ''))) return false
  return (
    shareOf(lines, (line) => opening.test(line)) >= 0.3 &&
    shareOf(lines, (line) => /^\s{0,99}</.test(line)) >= 0.7 &&
    !lines.some(isOther)
  )
}

/** Parts of pages, and tables of Markdown: too few words for the model. */
export const languageOfMarkup = (beginning: Beginning) => {
  if (isMarkdownTable(beginning.lines)) return 'markdown'
  return isHtmlPart(beginning) ? 'html' : undefined
}

const mark =
  /^\s{0,3}(?:#{1,6} |[=-]{3,}\s{0,9}$|```|~~~|> |[*+] |- \[[ x]\] |\|)|\]\(|\*\*\S|`[^`]{1,200}`|<[a-z]{1,20}[ >]/

/** True if a text has anything of Markdown apart from lists with dashes and numbers, which prose has as well. */
export const hasMarkdown = ({ lines }: Beginning) => lines.some((line) => mark.test(line))
