import { createClient, type PasteBody } from './client.ts'
import type { RunningServer } from './process.ts'

/** A paste's page as a browser gets it. */
export const openPage = async (server: RunningServer, { pasteUrl = '' }: { pasteUrl?: string }) => {
  const response = await createClient(server.url).get(pasteUrl, { Accept: 'text/html' })
  const body = await response.text()
  return { status: response.status, body, isHighlighted: /<span class="?t\w/.test(body) }
}

/** In a small grammar: that of TypeScript takes a busy machine many times as long. */
export const shortJson = { text: '[1, "a"]\n', language: 'json' }

/** Makes a short paste whose page is highlighted; on a busy machine the first ones are too slow, and stay plain. */
export const openHighlighted = async (server: RunningServer, fields: PasteBody = shortJson) => {
  for (;;) {
    const paste = await createClient(server.url).paste(fields)
    if ((await openPage(server, paste)).isHighlighted) return paste
  }
}
