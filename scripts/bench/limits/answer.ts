// A bare `Bun.serve` that answers from memory: reads `Input` as JSON from standard input, prints its address.
import type { Answer } from '../answers.ts'

export type AnswerInput = {
  /** Path → what to answer; with a tag, 304 to who has that tag already. */
  answers: Record<string, Answer & { ifNoneMatch?: string }>
  /** Makes a finished `Headers` of each answer beforehand, instead of writing them as an object at each request. */
  isReady?: boolean
  /** Headers of the request to read and to do nothing with. */
  reads?: readonly string[]
}

const { answers, isReady = false, reads = [] } = (await Bun.stdin.json()) as AnswerInput

const byPath = new Map(
  Object.entries(answers).map(([path, { status, headers: given, body: base64, ifNoneMatch }]) => {
    const { 'content-length': _, ...headers } = given
    const bytes = Buffer.from(base64, 'base64')
    const isText = headers['content-encoding'] === undefined
    return [
      path,
      {
        init: { status, headers: isReady ? new Headers(headers) : headers },
        body: isText ? bytes.toString() : bytes,
        ifNoneMatch,
      },
    ]
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
    for (const name of reads) if (request.headers.get(name) === '') return new Response('', { status: 400 })
    const { init, body, ifNoneMatch } = answer
    if (ifNoneMatch === undefined) return new Response(body, init)
    return request.headers.get('if-none-match') === ifNoneMatch
      ? new Response(null, init)
      : new Response('', { status: 404 })
  },
})
console.log(`listening on http://127.0.0.1:${server.port}`)
