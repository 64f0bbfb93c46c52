import { createClient } from './client.ts'
import { type RunningServer, start } from './process.ts'

export const secretTarget = 'https://secret.example.org/a-secret-path'
export const secret = {
  text: 'a-secret-text\n',
  title: 'a-secret-title',
  description: 'a-secret-description',
  language: 'python',
}
export type Item = Readonly<Record<string, string>>

export const json = { Accept: 'application/json' }
export const text = { Accept: 'text/plain' }

export const idOf = ({ pasteUrl = '', shortendUrl = '' }: Item) =>
  (pasteUrl || shortendUrl).split('/').at(-1) ?? ''

/** One server, and clients that make and read limited items on it. */
export const openLimited = async () => {
  const open = (data?: string) =>
    start({ args: ['--rate-limit', 'off', '--log', 'json'], ...(data !== undefined && { data }) })
  let server: RunningServer = await open()
  let client = createClient(server.url)
  const get = (address = '', headers: Record<string, string> = {}, method = 'GET') =>
    client.get(address, headers, { method })
  return {
    server: () => server,
    client: () => client,
    restart: async () => {
      const before = server
      await before.stop()
      server = await open(before.data)
      client = createClient(server.url)
      return before
    },
    paste: (maxReads = 1) => client.paste({ ...secret, maxReads }),
    link: (maxVisits = 1) => client.link(secretTarget, { maxVisits }),
    get,
    send: (address = '', headers: Record<string, string> = {}) => get(address, headers, 'POST'),
  }
}
