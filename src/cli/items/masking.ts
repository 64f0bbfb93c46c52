import {
  countedFindings,
  findSecrets,
  isPersonal,
  kindWords,
  linesText,
  type Masked,
  mask,
  maskKinds,
  sumText,
  sumUp,
} from '../../mask/mask.ts'
import { wrongUsage } from '../client/send.ts'
import { didYouMean } from '../nearest.ts'
import { type ClientFlags, plural, type Terminal } from '../terminal.ts'

/** Values that are listed; the rest is counted. */
const mostListed = 50

/** What `--unmask` names: kinds, and placeholders with or without their brackets. @throws {Failure} */
const unmasked = (what: string | undefined): ReadonlySet<string> => {
  const names = (what ?? '').split(',').map((name) => name.trim().replace(/^<|>$/g, ''))
  for (const name of names.filter(Boolean)) {
    const kind = name.replace(/-\d+$/, '')
    if (!maskKinds.includes(kind))
      throw wrongUsage(`--unmask: there is no kind "${kind}"${didYouMean(kind, maskKinds)}`)
  }
  return new Set(names)
}

/** Placeholders that a message names; the rest is counted. */
const mostNamed = 10

/** `"ip-9"; masked are ip-1, ip-2 and 7 more`: those of its kind, or else all. */
const missing = (name: string, names: readonly string[]) => {
  const near = names.filter((one) => one.replace(/-\d+$/, '') === name.replace(/-\d+$/, ''))
  const all = near.length > 0 ? near : names
  const rest = all.length - mostNamed
  const shown =
    all.slice(0, mostNamed).join(', ') + (rest > 0 ? ` and ${rest.toLocaleString('en')} more` : '')
  return `"${name}"; ${all.length === 0 ? 'there is nothing to mask' : `masked are ${shown}`}`
}

/**
 * A placeholder that a text does not have is a slip, and something else would be masked. A kind may be absent: scripts name
 * the same ones for every text.
 * @throws {Failure} for a placeholder
 */
const checkUnmasked = (left: ReadonlySet<string>, { masked, kept }: ReturnType<typeof mask>) => {
  const all = [...masked, ...kept]
  const names = all
    .map((one) => one.placeholder.slice(1, -1))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  const placeholder = [...left].find(
    (name) => name !== '' && !maskKinds.includes(name) && !names.includes(name),
  )
  if (placeholder !== undefined) throw wrongUsage(`--unmask: there is no ${missing(placeholder, names)}`)
  return [...left].filter((name) => maskKinds.includes(name) && !all.some(({ kind }) => kind === name))
}

type PrintError = Terminal['printError']

/** Lists what was replaced: never the value. */
const listMasked = async (name: string, masked: readonly Masked[], printError: PrintError) => {
  await printError(`${name}: masked ${plural(masked.length, 'value')}${masked.length === 0 ? '' : ':'}`)
  const shown = masked.slice(0, mostListed)
  const width = Math.max(...shown.map(({ placeholder }) => placeholder.length))
  for (const { kind, placeholder, lines } of shown)
    await printError(`  ${placeholder.padEnd(width)}  ${kindWords(kind)}, ${linesText(lines)}`)
  const rest = Map.groupBy(masked.slice(mostListed), ({ kind }) => kind)
  const counts = [...rest].map(([kind, values]) => countedFindings(kind, values.length))
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
 * @throws {Failure} if the flags do not fit together, or not the text; the error of standard error if it takes no list
 */
export const masking = (flags: ClientFlags, { printError, told }: Terminal) => {
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
    for (const kind of checkUnmasked(left, result))
      await printError(`${name}: --unmask ${kind}: there is no ${kindWords(kind)}`)
    await listMasked(name, result.masked, printError)
    // Nothing is sent before its list can be read.
    await told()
    return result.text
  }
}
