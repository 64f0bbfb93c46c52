import type { Ask } from './wrk.ts'

/** What a server answers, but for the `Date`. The body is as it came over the wire, as base64. */
export type Answer = { status: number; headers: Record<string, string>; body: string }

/** Asks one server once. Without `Accept-Encoding` in the request, as wrk asks, no coding is accepted. */
export const ask = async (url: string, { method = 'GET', path, headers, body }: Ask): Promise<Answer> => {
  const response = await fetch(url + path, {
    method,
    headers: { 'Accept-Encoding': 'identity', ...headers },
    redirect: 'manual',
    decompress: false,
    ...(body === undefined ? {} : { body }),
  })
  const all = [...response.headers].filter(([name]) => name !== 'date')
  return {
    status: response.status,
    headers: Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    body: Buffer.from(await response.arrayBuffer()).toString('base64'),
  }
}

/** @throws when a limit answers anything else than the product: the comparison would mean nothing */
export const assertSame = (name: string, product: Answer, limit: Answer) => {
  const [wanted, given] = [product, limit].map((answer) => JSON.stringify(answer))
  if (wanted !== given) throw new Error(`${name}: the limit does not answer the same.\n${wanted}\n${given}`)
}
