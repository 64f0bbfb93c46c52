// A bare loop of open, read, parse, answer: reads `Input` as JSON from standard input, prints its address.
import { readFile } from 'node:fs/promises'

/** Path → file of a link, and what all answers have in common. */
export type ReadInput = { files: Record<string, string>; status: number; headers: Record<string, string> }

const { files, status, headers } = (await Bun.stdin.json()) as ReadInput
const byPath = new Map(Object.entries(files))
const { 'content-length': _, location: __, ...common } = headers

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  development: false,
  fetch: async ({ url }) => {
    const file = byPath.get(url.slice(url.indexOf('/', 8)))
    if (file === undefined) return new Response('', { status: 404 })
    const { document } = JSON.parse(await readFile(file, 'utf8'))
    return new Response(`<a href="${document.url}">Found</a>\n`, {
      status,
      headers: { ...common, location: document.url },
    })
  },
})
console.log(`listening on http://127.0.0.1:${server.port}`)
