import { pastePage } from '../../../test/support/page-objects/paste.ts'
import { untilMade } from '../../../test/support/until.ts'
import type { Sample } from '../samples.ts'
import { opens, opensNew, type Show, type Stage, statesOf } from '../state.ts'

const [isLong, needsScript] = [true, true] as const

const paste = statesOf('paste', 'paste-page', '/p/{id}')
const opensSample =
  (sample: Sample, suffix = ''): Show =>
  async (stage) =>
    stage.open((await stage.sample(sample)) + suffix)
/** Its pictures are in the README, so they have colours also if the machine is busy. */
const opensFunction: Show = async ({ open, sample }) =>
  open(`${await untilMade(await sample('code'))}#L28-L37`)
const presses =
  (press: (page: ReturnType<typeof pastePage>) => Promise<void>, sample: Sample = 'code'): Show =>
  async (stage) => {
    await opensSample(sample)(stage)
    await press(pastePage(stage.page))
  }
/** A paste that was changed twice. */
const opensChanged: Show = async ({ client, open }) => {
  const { pasteUrl = '' } = await client.paste({ title: 'build.log', language: 'log' })
  const lines = Array.from({ length: 40 }, (_, at) => `2026-05-01T10:00:${10 + at}Z INFO step ${at} done`)
  for (const length of [20, 40])
    await client.change(pasteUrl, { text: `${lines.slice(0, length).join('\n')}\n` })
  await open(pasteUrl)
}
const samplesShown: [Sample, string, suffix?: string][] = [
  ['code', 'TypeScript with a description'],
  ['untitled', 'One line without a title'],
  ['long', '1,200 lines, at line 600', '#L600'],
  ['log', 'A log'],
  ['ansi', 'ANSI colours'],
  ['markdown', 'The source of Markdown', '?view=text'],
  ['right-to-left', 'Right-to-left and invisible characters'],
  ['long-lines', 'A long title and long lines'],
  ['plain', 'Shown plain, because highlighting took too long'],
  ['cut', 'Cut: a page cannot hold all of it'],
]

/** The page of a paste: every kind of text, and everything that opens on it. */
export const pasteStates = [
  ...samplesShown.map(([sample, shows, suffix]) => paste(sample, shows, opensSample(sample, suffix))),
  paste('marked', 'Line 5 is linked to', opensSample('code', '#L5')),
  paste('marked-range', 'A range of lines is linked to', opensFunction, { needsScript }),
  paste('expiring', 'It expires', opensNew((client) => client.paste({ expiresIn: '7d' }), 'pasteUrl')),
  paste('changed', 'It was changed', opensChanged),
  paste('following', 'It was changed, and is followed', async (stage) => {
    await opensChanged(stage)
    await stage.page.keyboard.press('f')
  }, { needsScript }),
  paste('unknown-language', '`?lang=` is mistyped', opensSample('code', '?lang=typescrpt')),
  paste('language-menu', 'The language menu is open', presses((page) => page.openPart('language'))),
  paste('more', 'More is open', presses((page) => page.more.click())),
  paste('qr', 'The QR code is shown', presses((page) => page.openPart('qr'))),
  paste('wrapped', 'Long lines are wrapped', presses((page) => page.toggleWrap(), 'long-lines'), { needsScript }),
  paste('copied', 'It was copied', presses((page) => page.copyButton.click()), { needsScript }),
  paste('shortcuts', 'The list of shortcuts is open', presses((page) => page.openShortcuts()), { needsScript }),
] // biome-ignore format: a table to skim

/** Sends the form of the page, and waits until the page that answers it has run its scripts. */
const pressMain = async ({ page }: Stage) => {
  const loaded = page.waitForEvent('load')
  await page.locator('main form button[type=submit]').click()
  await loaded
}

const opensView =
  (sample: Sample, query: string): Show =>
  async (stage) =>
    stage.open(await untilMade((await stage.sample(sample)) + query))

/** The page of a paste that shows something other than its text as it is. */
export const viewStates = [
  paste('preview', 'The preview of Markdown', opensView('markdown-notes', ''), { isLong }),
  paste('preview-readme', 'The preview of a long README', opensView('markdown', '?view=preview')),
  paste('preview-heading', 'A heading of a preview is linked to', opensView('markdown-notes', '?view=preview#md-code')),
  paste('preview-cut', 'A preview that ends where quotes are too deep', opensView('markdown-deep', '?view=preview')),
  paste('table', 'CSV as a table', opensView('csv', '?view=table')),
  paste('table-line', 'CSV as a table, at a line', opensView('csv', '?view=table#L60')),
  paste('formatted', 'JSON, formatted', opensView('json', '?view=formatted')),
  paste('formatted-lines', 'JSON lines, formatted, and one that is none', opensView('json-lines', '?view=formatted')),
  paste('formatted-broken', 'JSON that is none', opensView('json-broken', '?view=formatted')),
] // biome-ignore format: a table to skim

const limited = statesOf('limited', 'limited-page', '/p/{id}')
const opensLimited = (maxReads: number) => opensNew((client) => client.paste({ maxReads }), 'pasteUrl')
const reads =
  (maxReads: number): Show =>
  async (stage) => {
    await opensLimited(maxReads)(stage)
    await pressMain(stage)
  }

/** The pages before and after something can be read once. */
export const limitedStates = [
  limited('last', 'A paste that can be read once', opensLimited(1)),
  limited('three', 'A paste with three reads left', opensLimited(3)),
  statesOf('limited', 'paste-page', '/p/{id}')('read-1', 'It was read; it could be read once', reads(1)),
  statesOf('limited', 'paste-page', '/p/{id}')('read-3', 'It was read; it could be read 3 times', reads(3)),
  statesOf('limited', 'limited-page', '/s/{id}')('link', 'A short link for one visit', opensNew((client) => client.link(undefined, { maxVisits: 1 }), 'shortendUrl')),
] // biome-ignore format: a table to skim

const deletion = statesOf('deletion', 'deletion-page', '/paste/delete')
const linkDeletion = statesOf('deletion', 'deletion-page', '/shortener/delete')
/** Deletes a paste, and opens one of its addresses. */
const opensDeleted =
  (address: 'pasteUrl' | 'deletionUrl'): Show =>
  async ({ client, open }) => {
    const { [address]: opened = '', deletionUrl = '' } = await client.paste()
    await client.get(deletionUrl, {}, { method: 'DELETE' })
    await open(opened)
  }

/** The pages before and after something is deleted. */
export const deletionStates = [
  deletion('paste', 'Before a paste is deleted', opensNew((client) => client.paste(), 'deletionUrl')),
  linkDeletion('link', 'Before a short link is deleted', opensNew((client) => client.link(), 'deletionUrl')),
  deletion('done', 'After it was deleted', async (stage) => {
    await stage.open((await stage.client.paste()).deletionUrl ?? '')
    await pressMain(stage)
  }),
  statesOf('deletion', 'error-page', '/paste/delete')('used', 'The deletion link was used before', opensDeleted('deletionUrl')),
] // biome-ignore format: a table to skim

const error = (status: number, shows: string, route: string, show: Show) =>
  statesOf('error', 'error-page', route)(`${status}`, shows, show)
const postsDocs: Show = async ({ page, open }) => {
  await page.route('**/docs', (route) => route.continue({ method: 'POST' }))
  await open('/docs')
}

export const errorStates = [
  error(404, 'No paste has that id', '/p/{id}', opens('/p/zzzzzzzzzz')),
  error(405, 'A form was sent where none is taken', '/docs', postsDocs),
  error(410, 'A paste that was deleted', '/p/{id}', opensDeleted('pasteUrl')),
  error(422, 'A deletion link without its key', '/paste/delete', opens('/paste/delete')),
]

const docs = statesOf('docs', 'docs-page', '/docs')
export const docsStates = [
  docs('top', 'From its beginning', opens('/docs'), { isLong }),
  docs('programs', 'Bookmarklets, and files for other programs', opens('/docs#programs')),
  docs('operation', 'At the operation that its address names', opens('/docs#createPaste'), {
    isUnfolded: true,
  }),
]
