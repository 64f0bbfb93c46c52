import { untilMade } from '../../../test/support/until-made.ts'
import type { Sample } from '../samples.ts'
import { type Show, statesOf } from '../state.ts'

const paste = statesOf('paste', 'paste-page', '/p/{id}')
const isLong = true

const opens =
  (sample: Sample, query: string): Show =>
  async (stage) => {
    await stage.open(await untilMade((await stage.sample(sample)) + query))
  }

/** The page of a paste that shows something other than its text as it is. */
export const viewStates = [
  paste('preview', 'The preview of Markdown', opens('markdown-notes', '?view=preview'), { isLong }),
  paste('preview-readme', 'The preview of a long README', opens('markdown', '?view=preview')),
  paste('preview-heading', 'A heading of a preview is linked to', opens('markdown-notes', '?view=preview#md-code')),
  paste('preview-cut', 'A preview that ends where quotes are too deep', opens('markdown-deep', '?view=preview')),
  paste('table', 'CSV as a table', opens('csv', '?view=table')),
  paste('table-line', 'CSV as a table, at a line', opens('csv', '?view=table#L60')),
  paste('formatted', 'JSON, formatted', opens('json', '?view=formatted')),
  paste('formatted-lines', 'JSON lines, formatted, and one that is none', opens('json-lines', '?view=formatted')),
  paste('formatted-broken', 'JSON that is none', opens('json-broken', '?view=formatted')),
] // biome-ignore format: a table to skim
