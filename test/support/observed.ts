import { describeApi } from '../../src/openapi/document.ts'
import { createAddresses } from '../../src/urls.ts'
import { createConformance, type Observed } from './conformance.ts'
import { isUnderTest } from './process.ts'

const nas = 'http://nas'
const problemsOf = createConformance(describeApi(createAddresses(nas, nas, nas), '0.0.0'))
const found: string[] = []
let checked = 0

const isJson = (response: Response) => response.headers.get('content-type')?.startsWith('application/json')

/** Holds an answer of a server under test against the description. What is wrong fails the running test. */
const judge = (address: string, observed: Omit<Observed, 'path'>) => {
  checked++
  found.push(...problemsOf({ ...observed, path: new URL(address).pathname }))
}

/** An answer that `fetch` got. */
export const observe = async (method: string, address: string, response: Response) => {
  if (!isUnderTest(address)) return
  const copy = isJson(response) && method !== 'HEAD' ? response.clone() : undefined
  // A body that a crash cut off is the test's own matter.
  const json = await copy?.text().catch(() => undefined)
  const { status, headers } = response
  judge(address, { method, status, headers, json })
}

/** An answer that a browser got; its body is left alone. */
export const observeHead = (
  method: string,
  address: string,
  status: number,
  headers: Record<string, string>,
) => {
  if (isUnderTest(address)) judge(address, { method, status, headers: new Headers(headers) })
}

/** What was found since it was last asked for. */
export const takeProblems = () => found.splice(0)

export const checkedAnswers = () => checked
