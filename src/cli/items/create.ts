import { basename } from 'node:path'
import { sizeText } from '../../format.ts'
import { guessLanguage } from '../../highlight/languages/file-names.ts'
import { linkTable } from '../../items/link.ts'
import { pasteTable } from '../../items/paste.ts'
import { jsonLine } from '../../output.ts'
import { shellWord } from '../../shell-words.ts'
import { readText, readTextFile } from '../client/files.ts'
import { type CreatedItem, createItem, fieldsOf, type ItemFields } from '../client/items.ts'
import { type CreationTarget, creationTargetOf } from '../client/login.ts'
import { about, addressIn, Failure, waitWords, withinRate, wrongUsage } from '../client/send.ts'
import type { ClientCommand, ClientFlags, Terminal } from '../terminal.ts'
import { masking } from './masking.ts'

/** Smaller bodies are sent before anyone could read a progress line. */
const longBytes = 256 * 1024

const shownName = (name: string) => (name === '-' ? 'standard input' : name)

const readInput = (name: string, { tee }: ClientFlags, { stdin, printError, printBytes }: Terminal) => {
  if (name !== '-') return readTextFile(name)
  const source = stdin()
  if (source.isTTY) printError('reading from the terminal, end with Ctrl-D')
  return readText(source, tee ? printBytes : undefined)
}

const pasteBody = (name: string, text: string, { title, language, ...fields }: ItemFields): ItemFields => ({
  ...{ text, title: title ?? (name === '-' ? '' : basename(name)), description: '' },
  ...{ language: language ?? guessLanguage([name], text) ?? 'auto', ...fields },
})

const progressLine = (name: string, { progress }: Terminal) => {
  const line = (bytes: number, all: number) =>
    `${name}: ${Math.floor((100 * bytes) / all)} % of ${sizeText(all)} sent`
  return (bytes: number, all: number) => {
    if (all >= longBytes) progress(line(bytes, all))
  }
}

type Job = {
  /** Unset with `--dry-run`. */
  target: CreationTarget | undefined
  flags: ClientFlags
  said: ItemFields
  terminal: Terminal
  masked: ReturnType<typeof masking>
}

/** Sends one input and prints its address at once. @throws {Failure} */
const pasteOne = async (name: string, { target, flags, said, terminal, masked }: Job) => {
  const text = await masked(shownName(name), await readInput(name, flags, terminal))
  if (target === undefined) return terminal.printBytes(Buffer.from(text))
  const fields = pasteBody(name, text, said)
  const onSent = progressLine(shownName(name), terminal)
  const attempt = () =>
    createItem({ target, path: '/paste', fields, onSent }).finally(() => terminal.progress(''))
  const onWait = (seconds: number) => terminal.printError(`${shownName(name)}: ${waitWords(seconds)}`)
  await printCreated(await withinRate(attempt, { flags, terminal, onWait }), flags, terminal)
}

/** Pastes each input; a failure does not stop the others. @returns the exit code of the first failure */
export const pasteCommand: ClientCommand = async (words, flags, terminal) => {
  const names = words.length === 0 ? ['-'] : words
  if (names.indexOf('-') !== names.lastIndexOf('-'))
    throw wrongUsage('standard input, "-", can be read only once')
  if (flags.tee && names.some((name) => name !== '-'))
    throw wrongUsage('--tee passes standard input on: give no file')
  if (flags.alias !== undefined && names.length > 1)
    throw wrongUsage('--alias names one paste: give one file')
  const said = fieldsOf(pasteTable, flags)
  const masked = masking(flags, terminal)
  const target = flags['dry-run'] ? undefined : await creationTargetOf(flags, terminal)
  const job = { target, flags, said, terminal, masked }
  let code = 0
  for (const [at, name] of names.entries())
    try {
      await about(shownName(name), () => pasteOne(name, job))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      terminal.printError(`shortcrust: ${error.message}`)
      code ||= error.exitCode
      const rest = names.slice(at + 1)
      // Without a key, with this one, or at the rate limit, the server would refuse each of them.
      if (![2, 3, 4].includes(error.exitCode) || rest.length === 0) continue
      terminal.printError(`shortcrust: not sent: ${rest.map(shownName).join(', ')}`)
      break
    }
  return code
}

/** Creates a short link and prints its address. */
export const shorten: ClientCommand = async ([url = ''], flags, terminal) => {
  const said = fieldsOf(linkTable, flags)
  const target = await creationTargetOf(flags, terminal)
  const attempt = () => createItem({ target, path: '/shortener', fields: { url, ...said } })
  const onWait = (seconds: number) => terminal.printError(waitWords(seconds))
  const created = await withinRate(attempt, { flags, terminal, onWait })
  await printCreated(created, flags, terminal)
  return 0
}

/**
 * Prints the address, or the whole answer with `--json`; on standard error where standard output passes the input on. A
 * person also gets the deletion link, which is not available later.
 */
export const printCreated = async (
  { address, answer }: CreatedItem,
  { json, tee, copy }: ClientFlags,
  { print, printJson, printError, copyText, written, isWatched }: Terminal,
) => {
  if (tee) printError(json ? jsonLine(answer) : address)
  else if (json) printJson(answer)
  else print(address)
  if (copy && !copyText(address)) printError('the address is not copied: standard error is not a terminal')
  // If nobody can read the address, the command stops here and creates no more.
  await written()
  if (json || !isWatched) return
  const deletion = addressIn(answer, 'deletionUrl')
  if (deletion) printError(`  to delete it: shortcrust delete ${shellWord(deletion)}`)
}
