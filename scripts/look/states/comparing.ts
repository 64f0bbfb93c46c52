import type { createClient } from '../../../test/support/client.ts'
import { pastePage } from '../../../test/support/page-objects/paste.ts'
import { samples } from '../samples.ts'
import { type Show, statesOf } from '../state.ts'

const isLong = true as const

type Client = ReturnType<typeof createClient>
type Fields = Parameters<Client['paste']>[0]

const { text: code } = samples.code

/** What somebody made of the sample. */
const changed = code
  .replace('import type', 'import { type')
  .replace(/^.*\n/m, (first) => `${first}import { clock } from './clock.ts'\n`)
  .replaceAll('tokens', 'tickets')
  .replace(/\n$/, '\n\n/** The end.\u202e */\nexport const last = true')

const compares =
  (before: Fields, after: Fields, query = ''): Show =>
  async ({ client, open }) => {
    const addresses = [await client.paste(before), await client.paste(after)]
    const [first, second] = addresses.map(({ pasteUrl = '' }) => pasteUrl.split('/').at(-1))
    await open(`/diff/${first}/${second}${query}`)
  }

const before = { ...samples.code, title: 'rate-limiter.ts' }
const after = { ...before, text: changed, title: 'rate-limiter.ts, with tickets' }
const long = { ...samples['long-lines'] }
const numbered = (step: number) => Array.from({ length: 40_000 }, (_, at) => (at * step) % 40_000).join('\n')
/** The longest line numbers that a page of 1 MiB has. */
const many = `${'\n'.repeat(999_000)}first\nsecond\n`

const git = `diff --git a/src/limit.ts b/src/limit.ts
index 3b18e51..a1c2d3f 100644
--- a/src/limit.ts
+++ b/src/limit.ts
@@ -1,6 +1,7 @@ const limit
 const seconds = 15
-const most = 3
-const message = 'Too many requests'
+const most = 5
+const message = 'Too many requests with this API key'
+const retry = true
 
 export const limit = () => ({ most, seconds })
\\ No newline at end of file
`

const diff = statesOf('diff', 'diff-page', '/diff/{id}/{other}')
const form = statesOf('diff', 'compare-page', '/diff/{id}')

const asks =
  (query: string): Show =>
  async ({ client, open }) => {
    const { pasteUrl = '' } = await client.paste(before)
    await open(pasteUrl.replace('/p/', '/diff/') + query)
  }

/** Two pastes beside each other, and how one asks for it. */
export const diffStates = [
  diff('unified', 'Two versions of a file', compares(before, after), { isLong }),
  diff('split', 'The same, side by side', compares(before, after, '?view=split'), { isLong }),
  diff('long-lines', 'Long lines and a long title', compares(long, { ...long, text: long.text.replace('row 7', 'line 7') })),
  diff('long-split', 'Long lines side by side', compares(long, { ...long, text: long.text.replace('row 7', 'line 7') }, '?view=split')),
  diff('many', 'A million lines', compares({ text: many, language: 'text' }, { text: `${many}third\n`, language: 'text' })),
  diff('same', 'The same text', compares(before, { ...before, title: 'The same' })),
  diff('different', 'They differ too much', compares({ text: numbered(7919), language: 'text' }, { text: numbered(104_729), language: 'text' })),
  diff('mistyped', 'The view in the address is not known', compares(before, after, '?view=table')),
  form('form', 'What to compare a paste with', asks('')),
  form('form-error', 'What was typed names no paste', asks('?with=not%20a%20name')),
  statesOf('paste', 'paste-page', '/p/{id}')('diff', 'A diff', async ({ client, open }) => {
    const { pasteUrl = '' } = await client.paste({ title: 'limit.patch', description: '', language: 'diff', text: git })
    await open(pasteUrl)
  }),
  statesOf('paste', 'paste-page', '/p/{id}')('compare-menu', 'The menu to compare is open', async ({ page, client, open }) => {
    await open((await client.paste(before)).pasteUrl ?? '')
    await pastePage(page).openPart('compare')
  }),
] // biome-ignore format: a table to skim
