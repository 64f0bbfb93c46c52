// A bare `Bun.serve` that answers from memory: reads `Input` as JSON from standard input, prints its address.
import type { Answer } from '../answers.ts'

/** Path → what to answer; with a tag, 304 to who has that tag already. */
export type AnswerInput = { answers: Record<string, Answer & { ifNoneMatch?: string }> }

const { answers } = (await Bun.stdin.json()) as AnswerInput

const byPath = new Map(
  Object.entries(answers).map(([path, { status, headers: given, body: base64, ifNoneMatch }]) => {
    // Finished `Headers` were 8 % faster than a plain object (118 k/s against 109 k/s): the limit is the faster one.
    const headers = new Headers(given)
    headers.delete('content-length')
    const bytes = Buffer.from(base64, 'base64')
    const isText = headers.get('content-encoding') === null
    return [path, { init: { status, headers }, body: isText ? bytes.toString() : bytes, ifNoneMatch }]
  }),
)

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  development: false,
  fetch: (request) => {
    const { url } = request
    const answer = byPath.get(url.slice(url.indexOf('/', 8)))
    if (!answer) return new Response('', { status: 404 })
    const { init, body, ifNoneMatch } = answer
    if (ifNoneMatch === undefined) return new Response(body, init)
    return request.headers.get('if-none-match') === ifNoneMatch
      ? new Response(null, init)
      : new Response('', { status: 404 })
  },
})
console.log(`listening on http://127.0.0.1:${server.port}`)
