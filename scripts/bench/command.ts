import { writeFileSync } from 'node:fs'
import { withClosers } from '../measure/children.ts'
import { facts, versionOf } from '../measure/machine.ts'
import { complain, isWanted, showProgress } from '../measure/options.ts'
import type { Bench, Figure } from './figure.ts'
import { figures } from './figures.ts'
import { missingPrograms, type Options, readOptions, usage } from './options.ts'
import { createStock } from './product.ts'
import { type Pair, type Report, type Result, resultOf, tableText } from './results.ts'

/** @throws when it cannot be measured, or does not measure what it should */
const run = (figure: Figure, options: Options, stock: Bench['stock']): Promise<Result> =>
  withClosers(async (defer) => {
    showProgress(`${figure.name}: starting`)
    const { seconds, isSmoke } = options
    const { round } = await figure.open({ seconds, isSmoke, stock, defer })
    const pairs: Pair[] = []
    for (let at = 0; at < options.rounds; at++) {
      showProgress(`${figure.name}: round ${at + 1} of ${options.rounds}`)
      pairs.push(await round(at % 2 === 1))
    }
    return resultOf(figure, pairs)
  })

const measure = async (options: Options) => {
  const stock = createStock(options.isSmoke)
  const results: Result[] = []
  for (const figure of figures.filter(({ name }) => isWanted(name, options.only))) {
    try {
      results.push(await run(figure, options, stock))
    } catch (error) {
      complain('bench', `${figure.name}: ${(error as Error).message}`)
    }
  }
  showProgress('')
  return results
}

/** @returns the exit code: 1 for errors, never for a figure that is not reached; 2 for wrong options */
export const bench = async (args: readonly string[]): Promise<number> => {
  const names = figures.map(({ name }) => name)
  let options: Options
  try {
    options = readOptions(args, names)
  } catch (error) {
    complain('bench', `${(error as Error).message}\n${usage}`)
    return 2
  }
  const missing = missingPrograms()
  if (missing) {
    complain('bench', missing)
    return 1
  }
  const { json, only, seconds, rounds } = options
  const { versions, ...others } = facts()
  const results = await measure(options)
  console.log(tableText(results))
  const failed = names.filter((name) => isWanted(name, only)).length - results.length
  if (failed > 0) {
    complain('bench', `${failed} figures failed${json === undefined ? '' : `; ${json} was not written`}`)
    return 1
  }
  const wrk = versionOf('wrk', '-v')
  const report: Report = { ...others, versions: { ...versions, wrk }, seconds, rounds, figures: results }
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`)
  return 0
}
