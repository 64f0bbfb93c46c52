import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Whether `--only` names it, or what stands before its slash; nothing named means all. */
export const isWanted = (name: string, only: readonly string[]) =>
  only.length === 0 || only.includes(name) || only.includes(name.split('/')[0] as string)

/** @throws {Error} for a name that nothing has, or a file whose folder does not exist */
export const checkOptions = (
  kind: string,
  names: readonly string[],
  { json, only = [] }: { json?: string | undefined; only?: readonly string[] | undefined },
) => {
  for (const name of only)
    if (!names.some((known) => isWanted(known, [name])))
      throw new Error(`there is no ${kind} "${name}"; there are ${names.join(', ')}`)
  if (json !== undefined && !existsSync(dirname(resolve(json))))
    throw new Error(`--json: the folder of ${json} does not exist; make it first`)
}

const wipeLine = process.stderr.isTTY ? '\r\x1b[K' : ''
/** What is being done, on a terminal. */
export const showProgress = (text: string) => {
  if (wipeLine) process.stderr.write(wipeLine + text)
}
export const complain = (tool: string, text: string) => console.error(`${wipeLine}${tool}: ${text}`)
