import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../../test/support/process.ts'
import { figures } from './figures/list.ts'
import { facts } from './machine.ts'
import { isWanted, type Options, readOptions, usage } from './options.ts'
import { missingPrograms } from './requirements.ts'
import type { Report, Result } from './results.ts'
import { createRunner } from './run.ts'
import { tableText } from './table.ts'

const wipeLine = process.stderr.isTTY ? '\r\x1b[K' : ''
const progress = (text: string) => {
  if (wipeLine) process.stderr.write(wipeLine + text)
}
const complain = (text: string) => console.error(`${wipeLine}bench: ${text}`)

const isBuilt = () => {
  progress('building dist/shortcrust')
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    [process.execPath, join(import.meta.dir, '../build.ts')],
    { cwd: repository, stdout: 'pipe', stderr: 'pipe' },
  )
  if (exitCode !== 0) complain(`the executable cannot be built:\n${stdout}${stderr}`)
  return exitCode === 0
}

const measure = async (options: Options) => {
  const run = createRunner(options, progress)
  const results: Result[] = []
  let errors = 0
  for (const figure of figures.filter(({ name }) => isWanted(name, options.only))) {
    try {
      results.push(await run(figure))
    } catch (error) {
      errors++
      complain(`${figure.name}: ${(error as Error).message}`)
    }
  }
  progress('')
  return { results, errors }
}

/** @returns the exit code: 1 for errors, never for a figure that is not reached; 2 for wrong options */
export const bench = async (args: readonly string[]): Promise<number> => {
  let options: Options
  try {
    options = readOptions(
      args,
      figures.map(({ name }) => name),
    )
  } catch (error) {
    complain(`${(error as Error).message}\n${usage}`)
    return 2
  }
  const missing = missingPrograms()
  if (missing) {
    complain(missing)
    return 1
  }
  if (!isBuilt()) return 1
  const report: Report = {
    date: new Date().toISOString(),
    ...facts(),
    seconds: options.seconds,
    rounds: options.rounds,
    figures: [],
  }
  const { results, errors } = await measure(options)
  console.log(tableText(results))
  if (errors > 0) {
    complain(
      `${errors} figures failed${options.json === undefined ? '' : `; ${options.json} was not written`}`,
    )
    return 1
  }
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ ...report, figures: results }, null, 2)}\n`)
  return 0
}
