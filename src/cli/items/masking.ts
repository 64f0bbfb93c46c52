import { findSecrets } from '../../mask/find.ts'
import { type Masked, mask } from '../../mask/mask.ts'
import { counted, linesText, sumText, sumUp } from '../../mask/summary.ts'
import { isPersonal, kinds, wordsOf } from '../../mask/table.ts'
import { wrongUsage } from '../client/failures.ts'
import { plural } from '../lines.ts'
import { didYouMean } from '../nearest.ts'
import type { ClientFlags, Terminal } from '../terminal.ts'

/** Values that are listed; the rest is counted. */
const mostListed = 50

/** What `--unmask` names: kinds, and placeholders with or without their brackets. @throws {Failure} */
const unmasked = (what: string | undefined): ReadonlySet<string> => {
  const names = (what ?? '').split(',').map((name) => name.trim().replace(/^<|>$/g, ''))
  for (const name of names.filter(Boolean)) {
    const kind = name.replace(/-\d+$/, '')
    if (!kinds.includes(kind))
      throw wrongUsage(`--unmask: there is no kind "${kind}"${didYouMean(kind, kinds)}`)
  }
  return new Set(names)
}

type PrintError = Terminal['printError']

/** Lists what was replaced: never the value. */
const list = async (name: string, masked: readonly Masked[], printError: PrintError) => {
  await printError(`${name}: masked ${plural(masked.length, 'value')}${masked.length === 0 ? '' : ':'}`)
  const shown = masked.slice(0, mostListed)
  const width = Math.max(...shown.map(({ placeholder }) => placeholder.length))
  for (const { kind, placeholder, lines } of shown)
    await printError(`  ${placeholder.padEnd(width)}  ${wordsOf(kind)}, ${linesText(lines)}`)
  const rest = Map.groupBy(masked.slice(mostListed), ({ kind }) => kind)
  const counts = [...rest].map(([kind, values]) => counted(kind, values.length))
  if (counts.length > 0) await printError(`  and ${counts.join(', ')} more`)
}

/** One line on what looks like a secret. Addresses and names are left out: most logs have them. */
const warn = async (name: string, text: string, printError: PrintError) => {
  const secrets = findSecrets(text).filter(({ kind }) => !isPersonal(kind))
  if (secrets.length === 0) return
  await printError(
    `${name}: this looks secret: ${sumUp(secrets).map(sumText).join(', ')}; --mask replaces it`,
  )
}

/**
 * What happens to a text before it is sent: masked and listed with `--mask`, looked at without it.
 * @throws {Failure} if the flags do not fit together
 */
export const masking = (flags: ClientFlags, { printError }: Terminal) => {
  const isWithout = (flag: 'unmask' | 'dry-run') => flags[flag] !== undefined && !flags.mask
  if (isWithout('unmask')) throw wrongUsage('--unmask leaves out what --mask would replace: give both')
  if (isWithout('dry-run')) throw wrongUsage('--dry-run shows what --mask replaces: give both')
  if (flags['dry-run'] && flags.tee)
    throw wrongUsage('--dry-run and --tee both print the text: give one of them')
  const left = unmasked(flags.unmask)
  const isKept = ({ kind, placeholder }: Omit<Masked, 'lines'>) =>
    left.has(kind) || left.has(placeholder.slice(1, -1))
  return async (name: string, text: string) => {
    if (!flags.mask) {
      await warn(name, text, printError)
      return text
    }
    const result = mask(text, findSecrets(text), { isKept })
    await list(name, result.masked, printError)
    return result.text
  }
}
