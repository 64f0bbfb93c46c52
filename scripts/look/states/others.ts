import type { Stage, State } from '../state.ts'

const limited = { view: 'limited-page' } as const
const paste = { ...limited, route: '/p/{id}' } as const
const deletion = { view: 'deletion-page', route: '/paste/delete' } as const
const error = { view: 'error-page' } as const
const docs = { view: 'docs-page', route: '/docs' } as const

const openLimitedPaste = async ({ client, open }: Stage, maxReads: number) =>
  open((await client.paste({ maxReads })).pasteUrl ?? '')

/** Sends the form of the page, and waits until the page that answers it has run its scripts. */
const pressMain = async ({ page }: Stage) => {
  const loaded = page.waitForEvent('load')
  await page.locator('main form button[type=submit]').click()
  await loaded
}

/** The pages before and after something can be read once, or is deleted. */
export const limitedStates: readonly State[] = [
  {
    ...paste,
    name: 'limited/last',
    shows: 'A paste that can be read once',
    show: (stage) => openLimitedPaste(stage, 1),
  },
  {
    ...paste,
    name: 'limited/three',
    shows: 'A paste with three reads left',
    show: (stage) => openLimitedPaste(stage, 3),
  },
  ...[1, 3].map(
    (reads): State => ({
      ...paste,
      view: 'paste-page',
      name: `limited/read-${reads}`,
      shows: `It was read; it could be read ${reads === 1 ? 'once' : `${reads} times`}`,
      show: async (stage) => {
        await openLimitedPaste(stage, reads)
        await pressMain(stage)
      },
    }),
  ),
  {
    ...limited,
    route: '/s/{id}',
    name: 'limited/link',
    shows: 'A short link for one visit',
    show: async ({ client, open }) =>
      open((await client.link(undefined, { maxVisits: 1 })).shortendUrl ?? ''),
  },
]

export const deletionStates: readonly State[] = [
  {
    ...deletion,
    name: 'deletion/paste',
    shows: 'Before a paste is deleted',
    show: async ({ client, open }) => open((await client.paste()).deletionUrl ?? ''),
  },
  {
    ...deletion,
    route: '/shortener/delete',
    name: 'deletion/link',
    shows: 'Before a short link is deleted',
    show: async ({ client, open }) => open((await client.link()).deletionUrl ?? ''),
  },
  {
    ...deletion,
    name: 'deletion/done',
    shows: 'After it was deleted',
    show: async (stage) => {
      await stage.open((await stage.client.paste()).deletionUrl ?? '')
      await pressMain(stage)
    },
  },
  {
    ...deletion,
    view: 'error-page',
    name: 'deletion/used',
    shows: 'The deletion link was used before',
    show: async ({ client, open }) => {
      const { deletionUrl = '' } = await client.paste()
      await client.get(deletionUrl, {}, { method: 'DELETE' })
      await open(deletionUrl)
    },
  },
]

const refused = (status: number, shows: string, route: string, path = route): State => ({
  ...error,
  name: `error/${status}`,
  shows,
  route,
  show: ({ open }) => open(path),
})

export const errorStates: readonly State[] = [
  refused(404, 'No paste has that id', '/p/{id}', '/p/zzzzzzzzzz'),
  {
    ...error,
    name: 'error/405',
    shows: 'A form was sent where none is taken',
    route: '/docs',
    show: async ({ page, open }) => {
      await page.route('**/docs', (route) => route.continue({ method: 'POST' }))
      await open('/docs')
    },
  },
  {
    ...error,
    name: 'error/410',
    shows: 'A paste that was deleted',
    route: '/p/{id}',
    show: async ({ client, open }) => {
      const { pasteUrl = '', deletionUrl = '' } = await client.paste()
      await client.get(deletionUrl, {}, { method: 'DELETE' })
      await open(pasteUrl)
    },
  },
  refused(422, 'A deletion link without its key', '/paste/delete'),
]

export const docsStates: readonly State[] = [
  { ...docs, name: 'docs/top', shows: 'From its beginning', isLong: true, show: ({ open }) => open('/docs') },
  {
    ...docs,
    name: 'docs/operation',
    isUnfolded: true,
    shows: 'At the operation that its address names',
    show: ({ open }) => open('/docs#createPaste'),
  },
]
