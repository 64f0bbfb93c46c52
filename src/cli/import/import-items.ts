import { create } from '../client/create.ts'
import { about, Failure } from '../client/failures.ts'
import { waitWords, withinRate } from '../client/rate-wait.ts'
import { readWholeFile } from '../client/read-text.ts'
import { type Target, targetOf } from '../client/target.ts'
import { plural } from '../lines.ts'
import type { ClientCommand, ClientFlags, Terminal } from '../terminal.ts'
import { readImport } from './import-foreign.ts'
import type { Unusable, Wanted } from './import-lines.ts'
import { type Plan, planImport } from './import-plan.ts'

const kindsOf = (wanted: readonly Wanted[]) => {
  const pastes = wanted.filter(({ type }) => type === 'paste').length
  return `${plural(pastes, 'paste')} and ${plural(wanted.length - pastes, 'short link')}`
}

const name = async (unusable: readonly Unusable[], { printError }: Terminal) => {
  for (const { place, reason } of unusable) await printError(`shortcrust: ${place}: ${reason}`)
}

/** The alias and the remaining lifetime in seconds, rounded up, because 0 is not valid. */
const optionsOf = ({ alias, expiresAt }: Wanted, now: number) => ({
  ...(alias !== undefined && { alias }),
  ...(expiresAt !== undefined && { expiresIn: Math.max(1, Math.ceil((Date.parse(expiresAt) - now) / 1000)) }),
})

const createOne = (target: Target, one: Wanted, now: number) => {
  const path = one.type === 'paste' ? '/paste' : '/shortener'
  return create({ target, path, fields: { ...one.fields, ...optionsOf(one, now) } })
}

/** Creates items one by one, at the pace of the rate limit. @returns the created ones and the first failure */
const createAll = async (
  target: Target,
  wanted: readonly Wanted[],
  flags: ClientFlags,
  terminal: Terminal,
) => {
  const made: Wanted[] = []
  let isTold = false
  let failure: Failure | undefined
  for (const [at, one] of wanted.entries()) {
    terminal.progress(`imported ${at} of ${wanted.length}`)
    const onWait = (seconds: number) => {
      terminal.progress(`imported ${at} of ${wanted.length}; ${waitWords(seconds)}`)
      // In a log, an hour of them says no more than the first.
      if (!terminal.isWatched && !isTold) terminal.printError(waitWords(seconds))
      isTold = true
    }
    try {
      await withinRate(() => createOne(target, one, terminal.now()), { flags, terminal, onWait })
      made.push(one)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      failure ??= error
      await terminal.printError(`shortcrust: ${one.place}: ${error.message}`)
      // Later items would fail as well. Importing the file again creates the missing ones.
      if (error.exitCode !== 1) break
    }
  }
  terminal.progress('')
  return { made, failure }
}

const summary = (made: readonly Wanted[], { wanted, known, unusable }: Plan) => {
  const failed = wanted.length - made.length
  const rest = failed > 0 ? `, ${failed} not created` : ''
  return `${kindsOf(made)}; ${known} there already, ${unusable.length} cannot be imported${rest}`
}

/** Creates the items of a file that the key does not have yet. Without `--write` it only says what it would do. */
export const importItems: ClientCommand = async ([file = ''], flags, terminal) => {
  const contents = await about(file, async () => readImport(await readWholeFile(file)))
  const target = await targetOf(flags, terminal)
  const plan = await planImport(target, contents, terminal)
  terminal.progress('')
  await name(plan.unusable, terminal)
  const code = plan.unusable.length === 0 ? 0 : 1
  if (!flags.write) {
    terminal.print(`would create ${summary(plan.wanted, plan)}`)
    await terminal.written()
    if (plan.wanted.length > 0) terminal.printError('nothing was done: add --write to do it')
    return code
  }
  const { made, failure } = await createAll(target, plan.wanted, flags, terminal)
  terminal.print(`created ${summary(made, plan)}`)
  return failure?.exitCode ?? code
}
