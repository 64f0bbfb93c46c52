import { type Environment, readConfig } from '../../src/settings/config.ts'

const noFile = (): never => {
  throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
}

/** Where settings come from; `files` by their path, every other file is missing. */
export type Given = { flags?: Environment; env?: Environment; files?: Record<string, string> }

const read = ({ flags = {}, env = {}, files = {} }: Given) =>
  readConfig({ flags, env, readFile: (path) => files[path] ?? noFile() })

/** @throws when there are problems */
export const configOf = (given: Given) => {
  const result = read(given)
  if ('problems' in result) throw new Error(result.problems.join('\n'))
  return result.config
}

export const problemsOf = (given: Given) => {
  const result = read(given)
  return 'problems' in result ? result.problems : []
}
