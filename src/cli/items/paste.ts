import { basename } from 'node:path'
import { guessLanguage } from '../../highlight/languages/guess-language.ts'
import { create } from '../client/create.ts'
import { insist } from '../client/insist.ts'
import { limitField } from '../client/limit.ts'
import { readText, readTextFile } from '../input/read-text.ts'
import type { ClientCommand, ClientFlags, Terminal } from '../terminal.ts'
import { printCreated } from './created.ts'
import { optionsOf, report, type Target, targetOf } from './target.ts'

/** A smaller body is gone before its line could be read. */
const longBytes = 256 * 1024

const shownName = (name: string) => (name === '-' ? 'standard input' : name)

const readInput = (name: string, { stdin, printError }: Terminal) => {
  if (name !== '-') return readTextFile(name)
  const source = stdin()
  if (source.isTTY) printError('reading from the terminal, end with Ctrl-D')
  return readText(source)
}

type Limit = { maxReads?: number }

const fieldsOf = (name: string, text: string, flags: ClientFlags, limit: Limit) => ({
  text,
  title: flags.title ?? (name === '-' ? '' : basename(name)),
  description: flags.description ?? '',
  language: flags.language ?? guessLanguage([name], text),
  ...optionsOf(flags),
  ...limit,
})

const progressLine = (name: string, { progress }: Terminal) => {
  const line = (bytes: number, all: number) =>
    `${name}: ${Math.floor((100 * bytes) / all)} % of ${(all / 1024 ** 2).toFixed(1)} MiB sent`
  return (bytes: number, all: number) => {
    if (all >= longBytes) progress(line(bytes, all))
  }
}

type Job = { target: Target; flags: ClientFlags; limit: Limit; terminal: Terminal; isPatient: boolean }

/** Sends one input and prints its address at once. @returns why not */
const pasteOne = async (name: string, { target, flags, limit, terminal, isPatient }: Job) => {
  const text = await readInput(name, terminal)
  if (typeof text !== 'string') return text
  const fields = fieldsOf(name, text, flags, limit)
  const onSent = progressLine(shownName(name), terminal)
  const attempt = async () => {
    const result = await create({ target, path: '/paste', fields, onSent })
    terminal.progress('')
    return result
  }
  const onWait = (seconds: number) =>
    terminal.printError(`${shownName(name)}: the rate limit is reached; waiting ${seconds} s`)
  const created = isPatient ? await insist(attempt, onWait) : await attempt()
  if ('problem' in created) return created
  await printCreated(created, flags, terminal)
}

/** Pastes each input; one that fails leaves the others alone. @returns the code of the first failure */
export const paste: ClientCommand = async (words, flags, terminal) => {
  const names = words.length === 0 ? ['-'] : words
  if (names.indexOf('-') !== names.lastIndexOf('-'))
    return report({ problem: 'standard input, "-", can be read only once', exitCode: 2 }, terminal)
  if (flags.alias !== undefined && names.length > 1)
    return report({ problem: '--alias names one paste: give one file', exitCode: 2 }, terminal)
  const limit = limitField('maxReads', 'max-reads', flags['max-reads'])
  if ('problem' in limit) return report(limit, terminal)
  const target = await targetOf(flags, terminal)
  if ('problem' in target) return report(target, terminal)
  const job = { target, flags, limit, terminal, isPatient: names.length > 1 }
  let code = 0
  for (const [at, name] of names.entries()) {
    const failure = await pasteOne(name, job)
    if (!failure) continue
    const failed = report({ ...failure, problem: `${shownName(name)}: ${failure.problem}` }, terminal)
    code ||= failed
    const rest = names.slice(at + 1)
    // The key would be refused again and again.
    if (failure.exitCode !== 3 || rest.length === 0) continue
    report({ problem: `not sent: ${rest.map(shownName).join(', ')}`, exitCode: 3 }, terminal)
    break
  }
  return code
}
