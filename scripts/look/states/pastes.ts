import { pastePage } from '../../../test/support/page-objects/paste.ts'
import type { Sample } from '../samples.ts'
import type { Stage, State } from '../state.ts'

const page = { view: 'paste-page', route: '/p/{id}' } as const

const openSample = async ({ stock, open }: Stage, sample: Sample, suffix = '') =>
  open((await stock.paste(sample)).pasteUrl + suffix)

const shown = (sample: Sample, shows: string, suffix = ''): State => ({
  ...page,
  name: `paste/${sample}`,
  shows,
  show: (stage) => openSample(stage, sample, suffix),
})

const pressed = (
  name: `paste/${string}`,
  shows: string,
  press: (paste: ReturnType<typeof pastePage>) => Promise<void>,
  sample: Sample = 'code',
): State => ({
  ...page,
  name,
  shows,
  needsScript: true,
  show: async (stage) => {
    await openSample(stage, sample)
    await press(pastePage(stage.page))
  },
})

/** The page of a paste: every kind of text, and everything that opens on it. */
export const pasteStates: readonly State[] = [
  shown('code', 'TypeScript with a description'),
  shown('untitled', 'One line without a title'),
  shown('long', '3,000 lines, at line 1,500', '#L1500'),
  shown('log', 'A log'),
  shown('ansi', 'ANSI colours'),
  shown('markdown', 'The source of Markdown'),
  shown('right-to-left', 'Right-to-left and invisible characters'),
  shown('long-lines', 'A long title and long lines'),
  shown('plain', 'Shown plain, because highlighting took too long'),
  shown('cut', 'Cut: a page cannot hold all of it'),
  {
    ...page,
    name: 'paste/marked',
    shows: 'Line 5 is linked to',
    show: (stage) => openSample(stage, 'code', '#L5'),
  },
  {
    ...page,
    name: 'paste/marked-range',
    shows: 'Lines 5 to 9 are linked to',
    needsScript: true,
    show: (stage) => openSample(stage, 'code', '#L5-L9'),
  },
  {
    ...page,
    name: 'paste/expiring',
    shows: 'It expires',
    show: async ({ client, open }) =>
      open((await client.paste({ expiresIn: '7d' } as object)).pasteUrl ?? ''),
  },
  {
    ...page,
    name: 'paste/unknown-language',
    shows: '`?lang=` is mistyped',
    show: (stage) => openSample(stage, 'code', '?lang=typescrpt'),
  },
  {
    ...page,
    name: 'paste/language-menu',
    shows: 'The language menu is open',
    show: async (stage) => {
      await openSample(stage, 'code')
      await pastePage(stage.page).languageMenu.click()
    },
  },
  pressed('paste/wrapped', 'Long lines are wrapped', (paste) => paste.wrapButton.click(), 'long-lines'),
  pressed('paste/copied', 'It was copied', (paste) => paste.copyButton.click()),
  pressed('paste/shortcuts', 'The list of shortcuts is open', (paste) => paste.openShortcuts()),
]
