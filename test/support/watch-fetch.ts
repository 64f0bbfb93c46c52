import { afterAll, afterEach, expect } from 'bun:test'
import { observe, takeProblems } from './observed.ts'

const { fetch } = globalThis

/** Every test's `fetch`: each answer of a server under test must be as the API's description says. */
const watched = async (...[input, init]: Parameters<typeof fetch>) => {
  const response = await fetch(input, init)
  const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
  await observe(response.redirected ? 'GET' : method, response.url, response)
  return response
}
globalThis.fetch = Object.assign(watched, { preconnect: fetch.preconnect })

const expectConformance = async () => expect(await takeProblems()).toEqual([])
afterEach(expectConformance)
afterAll(expectConformance)
