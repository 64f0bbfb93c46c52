import { type Show, type Stage, statesOf } from '../state.ts'

const openedAt =
  (pathOf: Parameters<Stage['openNamed']>[0]): Show =>
  ({ openNamed }) =>
    openNamed(pathOf)

const at = (path: string) => openedAt(async () => path)

const marked = [
  ['2026-05-01T10:00:10Z INFO started', '2026-05-01T10:00:11Z ERROR the disk is full'].join('\n'),
  'log',
] as const

const name = (view: string, route: string) => statesOf('named', view, route)

/** Pages of a server with a long name, a gaudy accent and a long footer. */
export const namedStates = [
  name('home-page', '/')('home', 'The start page', at('/'), { isLong: true }),
  name('home-page', '/')('items', 'My items, without any', at('/?items')),
  name('error-page', '/p/{id}')('error', 'An error page', at('/p/zzzzzzzzzz'), { isLong: true }),
  name('docs-page', '/docs')('docs', 'The documentation', at('/docs')),
  name('paste-page', '/p/{id}')(
    'paste',
    'A short paste, so its footer is in the window',
    openedAt(async (client) => (await client.paste({ title: 'A short paste' })).pasteUrl ?? ''),
    { isLong: true },
  ),
  name('paste-page', '/p/{id}')(
    'log',
    'A log: the accent is a button, a link and an edge',
    openedAt(async (client) => {
      const { pasteUrl } = await client.paste({ title: 'app.log', text: marked[0], language: marked[1] })
      return `${pasteUrl}?level=error`
    }),
    { isLong: true },
  ),
  name('deletion-page', '/paste/delete')(
    'deletion',
    'The page before a deletion',
    openedAt(async (client) => (await client.paste({ title: 'A paste to delete' })).deletionUrl ?? ''),
  ),
]
