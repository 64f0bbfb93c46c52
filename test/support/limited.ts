import { withServer } from './server.ts'

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

/** One server for the block of tests, and what makes and reads burn-after-reading items on it. */
export const withLimited = () => {
  const { server, client, restart } = withServer({ args: ['--rate-limit', 'off', '--log', 'json'] })
  const get = (address = '', headers: Record<string, string> = {}, method = 'GET') =>
    client.get(address, headers, { method })
  return {
    server,
    client,
    restart,
    paste: (maxReads = 1) => client.paste({ ...secret, maxReads }),
    link: (maxVisits = 1) => client.link(secretTarget, { maxVisits }),
    get,
    send: (address = '', headers: Record<string, string> = {}) => get(address, headers, 'POST'),
  }
}
