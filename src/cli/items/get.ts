import { grepProblem, parseLineRange, partOf, rangeRule, type TextPart } from '../../items/text/text-part.ts'
import { Failure, wrongUsage } from '../client/failures.ts'
import { type Item, type Plural, versionOfItem } from '../client/items.ts'
import { findNamed, itemNamed } from '../client/named-item.ts'
import { toNewFile } from '../client/new-file.ts'
import { targetOf } from '../client/target.ts'
import type { ClientCommand, ClientFlags } from '../terminal.ts'

/** @throws {Failure} for anything but a number from 1 */
export const versionNumber = (raw: string, flag: string) => {
  if (/^[1-9]\d{0,8}$/.test(raw)) return Number(raw)
  throw wrongUsage(
    `--${flag}: expected the number of a version, as shortcrust versions shows it, not "${raw}"`,
  )
}

/** The text of a paste, or the target of a link with a line end. @throws {Failure} for a burn-after-reading paste */
export const contentOf = (plural: Plural, { text, url, pasteUrl }: Item) => {
  if (plural === 'links') return `${url}\n`
  if (typeof text === 'string') return text
  throw new Failure(`this paste burns after reading, and each read counts: open ${pasteUrl}`, 1)
}

/** The part of a text that the flags ask for. @throws {Failure} */
const partOfFlags = ({ lines: range, grep }: ClientFlags): TextPart | undefined => {
  const lines = range === undefined ? undefined : parseLineRange(range)
  if (range !== undefined && !lines) throw wrongUsage(`--lines: ${rangeRule}`)
  const problem = grep === undefined ? undefined : grepProblem(grep)
  if (problem !== undefined) throw wrongUsage(`--grep: ${problem}`)
  return lines || grep !== undefined ? { lines, grep } : undefined
}

/** Prints what an item of the key holds, byte for byte; it counts as no read and no visit. */
export const getItem: ClientCommand = async ([raw = ''], flags, terminal) => {
  const version = flags.version === undefined ? undefined : versionNumber(flags.version, 'version')
  const part = partOfFlags(flags)
  const named = itemNamed(raw)
  const target = await targetOf(flags, terminal)
  const { plural, item } = await findNamed(target, named)
  const wanted = version === undefined ? item : await versionOfItem(target, plural, item.id, version)
  if (part && plural === 'links') throw wrongUsage('--lines and --grep are for pastes; this is a short link')
  const whole = contentOf(plural, wanted)
  const content = part ? [...partOf(whole, part)].join('') : whole
  if (flags.output !== undefined) await toNewFile(flags.output, terminal.now(), (append) => append(content))
  else await terminal.printBytes(Buffer.from(content))
  await terminal.written()
  return 0
}
