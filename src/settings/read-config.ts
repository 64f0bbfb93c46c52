import { type Config, settings } from './config.ts'
import { conflictsIn } from './conflicts.ts'
import { givenValue, type Sources } from './sources.ts'
import { shownValue } from './values.ts'

/** The checked settings, or every problem, one line each. No line contains a secret. */
export const readConfig = (sources: Sources): { config: Config } | { problems: string[] } => {
  const problems: string[] = []
  const wrong = new Set<string>()
  const entries = Object.entries(settings).map(([name, setting]) => {
    try {
      const [source, raw] = givenValue(setting, sources)
      try {
        return [name, setting.parse(raw)]
      } catch (error) {
        const given = setting.flag === undefined ? '' : `, not "${shownValue(raw)}"`
        problems.push(`${source}: expected ${(error as Error).message}${given}`)
      }
    } catch (error) {
      problems.push((error as Error).message)
    }
    wrong.add(name)
    return [name, undefined]
  })
  const config = Object.fromEntries(entries) as Config
  problems.push(...conflictsIn(config, (name) => !wrong.has(name)))
  return problems.length ? { problems } : { config }
}
