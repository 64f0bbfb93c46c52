import type { createClient } from '../../../test/support/client.ts'
import { type Show, statesOf } from '../state.ts'

type PathOf = (client: ReturnType<typeof createClient>) => Promise<string | undefined>

const opens =
  (pathOf: PathOf): Show =>
  ({ openNamed }) =>
    openNamed(async (client) => (await pathOf(client)) ?? '')
const at = (path: string) => opens(async () => path)

const log = '2026-05-01T10:00:10Z INFO started\n2026-05-01T10:00:11Z ERROR the disk is full'

const [home, paste] = [statesOf('named', 'home-page', '/'), statesOf('named', 'paste-page', '/p/{id}')]
const [error, docs] = [statesOf('named', 'error-page', '/p/{id}'), statesOf('named', 'docs-page', '/docs')]
const deletion = statesOf('named', 'deletion-page', '/paste/delete')
const isLong = true

/** Pages of a server with a long name, a gaudy accent and a long footer. */
export const namedStates = [
  home('home', 'The start page', at('/'), { isLong }),
  home('items', 'My items, without any', at('/?items')),
  error('error', 'An error page', at('/p/zzzzzzzzzz')),
  docs('docs', 'The documentation', at('/docs')),
  paste(
    'paste',
    'A short paste, so its footer is in the window',
    opens(async (client) => (await client.paste({ title: 'A short paste' })).pasteUrl),
  ),
  paste(
    'log',
    'A log: the accent is a button, a link and an edge',
    opens(async (client) => `${(await client.paste({ text: log, language: 'log' })).pasteUrl}?level=error`),
  ),
  deletion(
    'deletion',
    'The page before a deletion',
    opens(async (client) => (await client.paste()).deletionUrl),
  ),
]
