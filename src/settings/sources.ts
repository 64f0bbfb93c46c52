/** One setting. */
export type Setting<T> = {
  /** Name after `--`; `undefined` for secrets, which flags would show in the process list. */
  flag: string | undefined
  variable: string
  /** True for a flag without a value, which says "on". */
  isBare?: true
  /** The default, in the format of a flag; empty means none. */
  default: string
  doc: string
  /** @throws {Error} whose message says what is expected */
  parse: (raw: string) => T
}

export type Environment = Readonly<Record<string, string | undefined>>
export type Sources = {
  /** Values by flag name. */
  flags: Environment
  env: Environment
  /** Reads the file that a `NAME_FILE` variable names. */
  readFile: (path: string) => string
}

/**
 * Finds a setting: its source and its text. The flag wins, then the variable, then the variable's file, then the default.
 * @throws {Error} if variable and file are both set, or the file cannot be read
 */
export const givenValue = (
  setting: Setting<unknown>,
  { flags, env, readFile }: Sources,
): [string, string] => {
  const { flag, variable } = setting
  const fromFlag = flag === undefined ? undefined : flags[flag]
  if (fromFlag !== undefined) return [`--${flag}`, setting.isBare ? 'on' : fromFlag]
  const file = env[`${variable}_FILE`]
  if (file !== undefined && env[variable] !== undefined)
    throw new Error(`${variable} and ${variable}_FILE are both set: keep one`)
  if (file === undefined) return [variable, env[variable] ?? setting.default]
  try {
    return [`${variable}_FILE`, readFile(file).trim()]
  } catch (error) {
    throw new Error(`${variable}_FILE: cannot read ${file} (${(error as NodeJS.ErrnoException).code})`)
  }
}
