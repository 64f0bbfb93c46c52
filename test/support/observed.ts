import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Description } from '../../src/describe/types.ts'
import type { Observed } from './conformance.ts'
import { isUnderTest, runFolder, temporaryFolder } from './process.ts'

/** Written once for all files of a run: whoever builds it loads the whole app, which takes a quarter of a second. */
const loadDescription = async (): Promise<Description> => {
  const path = join(runFolder(), 'openapi.json')
  if (existsSync(path)) return Bun.file(path).json()
  const { describeAt } = await import('./description.ts')
  const description = await describeAt()
  const unfinished = join(temporaryFolder(), 'openapi.json')
  await Bun.write(unfinished, JSON.stringify(description))
  renameSync(unfinished, path)
  return description
}

/** Half of the files ask no server, and would take 16 times as long to start with what it needs. */
const loadJudge = async () => {
  const [description, { createConformance }] = await Promise.all([
    loadDescription(),
    import('./conformance.ts'),
  ])
  return createConformance(description)
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
