import { existsSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** The options of every tool that plays named rows. */
export type Chosen = { json?: string | undefined; only?: readonly string[] | undefined }

/** Whether `--only` names it, or what stands before its slash; nothing named means all. */
export const isWanted = (name: string, only: readonly string[]) =>
  only.length === 0 || only.includes(name) || only.includes(name.split('/')[0] as string)

/** @throws {Error} for a name that nothing has, or a file whose folder does not exist */
export const checkOptions = (kind: string, names: readonly string[], { json, only = [] }: Chosen) => {
  for (const name of only)
    if (!names.some((known) => isWanted(known, [name])))
      throw new Error(`there is no ${kind} "${name}"; there are ${names.join(', ')}`)
  if (json !== undefined && !existsSync(dirname(resolve(json))))
    throw new Error(`--json: the folder of ${json} does not exist; make it first`)
}

/** What a flag says, or `fallback`. @throws {Error} for what is no whole number of at least `least` */
export const wholeNumber = (flag: string, raw: string | undefined, fallback: number, least: number) => {
  if (raw === undefined) return fallback
  if (/^\d{1,9}$/.test(raw) && Number(raw) >= least) return Number(raw)
  throw new Error(`--${flag} takes a whole number of at least ${least}, not "${raw}"`)
}

const wipeLine = process.stderr.isTTY ? '\r\x1b[K' : ''
/** What is being done, on a terminal. */
export const showProgress = (text: string) => {
  if (wipeLine) process.stderr.write(wipeLine + text)
}
export const complain = (tool: string, text: string) => console.error(`${wipeLine}${tool}: ${text}`)

/** What `read` makes of the command line. Where it throws, says why and how to call the tool, and there is nothing. */
export const readOrComplain = <T>(tool: string, usage: string, read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    complain(tool, `${(error as Error).message}\nusage: npm run ${tool} -- ${usage}`)
    return undefined
  }
}

/** Plays rows one after the other and says which ones fail. @returns the results of the others */
export const playRows = async <Row extends { name: string }, Result>(
  tool: string,
  rows: readonly Row[],
  play: (row: Row) => Promise<Result>,
) => {
  const results: Result[] = []
  for (const [at, row] of rows.entries()) {
    showProgress(`${at + 1} of ${rows.length}: ${row.name}`)
    try {
      results.push(await play(row))
    } catch (error) {
      complain(tool, `${row.name}: ${(error as Error).message}`)
    }
  }
  showProgress('')
  return results
}

/** Does something with each, so many at once. */
export const inLanes = async <T>(all: Iterable<T>, lanes: number, act: (one: T) => Promise<unknown>) => {
  const left = [...all].values()
  const work = async () => {
    for (const one of left) await act(one)
  }
  await Promise.all(Array.from({ length: lanes }, work))
}

/** Writes what `--json` asks for, if anything. */
export const writeJson = ({ json }: Chosen, report: object) => {
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`)
}

/** Runs a tool to its exit code. A signal ends it as its own end does: what it started ends with it. */
export const runTool = async (tool: (args: readonly string[]) => Promise<number>) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
  process.exit(await tool(process.argv.slice(2)))
}
