import type { Observed } from './conformance.ts'
import { isUnderTest } from './process.ts'

/** Half of the files ask no server, and would take 16 times as long to start with what it needs. */
const loadJudge = async () => {
  const [{ describeAt }, { createConformance }] = await Promise.all([
    import('./description.ts'),
    import('./conformance.ts'),
  ])
  return createConformance(await describeAt())
}
let judge: ReturnType<typeof loadJudge> | undefined

const judgements = new Set<Promise<readonly string[]>>()
let checked = 0

const isJson = (response: Response) => response.headers.get('content-type')?.startsWith('application/json')

/** Holds an answer of a server under test against the description. What is wrong fails the running test. */
const hold = async (address: string, observed: Omit<Observed, 'path'>) => {
  checked++
  judge ??= loadJudge()
  const judgement = judge.then((problemsOf) => problemsOf({ ...observed, path: new URL(address).pathname }))
  judgements.add(judgement)
  await judgement
}

/** An answer that `fetch` got. */
export const observe = async (method: string, address: string, response: Response) => {
  if (!isUnderTest(address)) return
  const copy = isJson(response) && method !== 'HEAD' ? response.clone() : undefined
  // A body that a crash cut off is the test's own matter.
  const json = await copy?.text().catch(() => undefined)
  const { status, headers } = response
  await hold(address, { method, status, headers, json })
}

/** An answer that a browser got; its body is left alone. */
export const observeHead = (
  method: string,
  address: string,
  status: number,
  headers: Record<string, string>,
) => {
  if (isUnderTest(address)) hold(address, { method, status, headers: new Headers(headers) })
}

/** What was found since it was last asked for. */
export const takeProblems = async () => {
  const taken = [...judgements]
  judgements.clear()
  return (await Promise.all(taken)).flat()
}

export const checkedAnswers = () => checked
