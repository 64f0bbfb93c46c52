import { compareLines } from '../../highlight/compare/line-diff.ts'
import { type PatchSide, patchHead, patchLines } from '../../highlight/compare/patch.ts'
import { withoutControls } from '../../output.ts'
import { findNamed, itemNamed, versionOfItem, versionsOfItem } from '../client/items.ts'
import { type Target, targetOf } from '../client/login.ts'
import { Failure, wrongUsage } from '../client/send.ts'
import { contentOf, findReadable, versionNumber } from '../items/read.ts'
import type { ClientCommand, ClientFlags, Terminal } from '../terminal.ts'

type Side = PatchSide & { text: string }
type Sides = {
  sides: readonly [Side, Side]
  /** What is said if there is nothing to show. */
  isSame: string
  isTooDifferent: string
}

const colours: Readonly<Record<string, string>> = { '+': '32', '-': '31', '@': '36' }

/** A line for a terminal: without control characters except tabs, and coloured unless `NO_COLOR` is set. */
const forTerminal = (line: string, colour: string | undefined) => {
  const safe = line.split('\t').map(withoutControls).join('\t')
  return colour ? `\x1b[${colour}m${safe}\x1b[m` : safe
}

const shownText = (text: string, { env }: Terminal, isHead: boolean) =>
  text
    .split('\n')
    .map((line) => forTerminal(line, env.NO_COLOR ? undefined : isHead ? '1' : colours[line.slice(0, 1)]))
    .join('\n')

/** Prints a patch, byte for byte, unless it goes to a terminal. */
const printPatch = async ({ sides, isSame, isTooDifferent }: Sides, terminal: Terminal) => {
  const comparison = compareLines(sides[0].text, sides[1].text)
  if (!comparison) throw new Failure(isTooDifferent, 1)
  if (comparison.changes.length === 0) return terminal.printError(isSame)
  const print = (text: string, isHead: boolean) =>
    terminal.printBytes(Buffer.from(terminal.isTerminal ? shownText(text, terminal, isHead) : text))
  await print(patchHead(sides), true)
  for (const lines of patchLines(comparison)) await print(lines, false)
}

const versionsOf = async (raw: string, flags: ClientFlags, target: Target): Promise<Sides> => {
  const asked = flags.from === undefined ? undefined : versionNumber(flags.from, 'from')
  const { plural, item, address } = await findNamed(target, itemNamed(raw))
  const [newest, before] = await versionsOfItem(target, plural, item.id)
  const from = asked ?? before?.version
  if (from === undefined) throw new Failure(`no earlier version of ${address} is kept`, 1)
  const earlier = await versionOfItem(target, plural, item.id, from)
  return {
    sides: [
      { name: address, about: `version ${from}`, text: contentOf(plural, earlier) },
      { name: address, about: `version ${newest?.version}`, text: contentOf(plural, item) },
    ],
    isSame: `version ${from} has the same content as the newest`,
    isTooDifferent: `version ${from} and the newest differ too much to be compared`,
  }
}

/** Looks for each, and says which is missing, or that both are. @throws {Failure} */
const bothOf = async <T>(words: readonly string[], find: (word: string) => Promise<T>): Promise<T[]> => {
  const found: T[] = []
  const missing: Failure[] = []
  for (const word of words)
    try {
      found.push(await find(word))
    } catch (error) {
      if (!(error instanceof Failure) || error.exitCode !== 1) throw error
      missing.push(new Failure(`${word}: ${error.message}`, 1, error.reply))
    }
  if (missing.length === 0) return found
  throw new Failure(missing.map(({ message }) => message).join('; '), 1)
}

const itemsOf = async (words: readonly string[], flags: ClientFlags, target: Target): Promise<Sides> => {
  if (flags.from !== undefined)
    throw wrongUsage('--from compares versions of one item; name one item, or leave it out')
  const sides = await bothOf(words, async (word) => findReadable(target, itemNamed(word)))
  return {
    sides: sides as unknown as [Side, Side],
    isSame: 'both have the same content',
    isTooDifferent: 'the two differ too much to be compared',
  }
}

/** Compares an earlier version with the newest, or two items, as a unified diff. */
export const diffItem: ClientCommand = async (words, flags, terminal) => {
  // A word that names nothing is reported before the login is read.
  for (const word of words) itemNamed(word)
  if (flags.from !== undefined) versionNumber(flags.from, 'from')
  const target = await targetOf(flags, terminal)
  const [raw = '', other] = words
  const sides =
    other === undefined ? await versionsOf(raw, flags, target) : await itemsOf(words, flags, target)
  await printPatch(sides, terminal)
  await terminal.written()
  return 0
}
