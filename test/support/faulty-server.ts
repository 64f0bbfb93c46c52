// A server that answers `/healthz`, and does to whoever posts what its first argument says.
import { writeSync } from 'node:fs'

const [, , fault] = process.argv
const held: Buffer[] = []
const kept = 200e6

const stall = () => {
  const until = performance.now() + 1000
  while (performance.now() < until);
}

const faults: Record<string, () => Response> = {
  none: () => new Response('{}', { status: 401 }),
  stall: () => {
    stall()
    return new Response('{}', { status: 401 })
  },
  growth: () => {
    // Only what is written to is resident.
    held.push(Buffer.alloc(kept, 'x'))
    return new Response('{}', { status: 401 })
  },
  welcome: () => new Response('{}', { status: 200 }),
  impatience: () => new Response('{}', { status: 503 }),
  page: () => new Response('x'.repeat(3e6), { status: 401 }),
  stack: () => {
    writeSync(2, 'Error: unexpected\n    at server.ts:1:1\n')
    return new Response('{}', { status: 401 })
  },
  death: () => process.exit(1),
}

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: ({ method }) => (method === 'POST' && faults[fault ?? '']?.()) || new Response('{}'),
})
console.log(`listening on http://127.0.0.1:${server.port}`)
