import { AppError } from '../../errors.ts'
import { parseTarget } from '../../services/links.ts'
import { type Item, itemsOfKey, stillThere } from '../client/items.ts'
import type { Target } from '../client/target.ts'
import type { Terminal } from '../terminal.ts'
import type { Contents, PasteFields, Unusable, Wanted } from './import-lines.ts'

/** What an import has to do. */
export type Plan = {
  wanted: readonly Wanted[]
  /** How many the key has made already, or the file holds twice. */
  known: number
  unusable: readonly Unusable[]
}

type Heading = Readonly<Record<string, unknown>>

/** What a list tells of a paste: pastes that differ in it are not equal. */
const headingOf = ({ title, description, language, bytes, alias = null }: Heading) =>
  JSON.stringify([title, description, language, bytes, alias])

const headingOfFields = ({ text, ...fields }: PasteFields, alias: string | undefined) =>
  headingOf({ ...fields, bytes: Buffer.byteLength(text), alias })

const nameAndTarget = ({ url, alias = null }: Heading) => JSON.stringify([url, alias])

const identityOf = (one: Wanted) =>
  one.type === 'link'
    ? `link ${nameAndTarget(one)}`
    : `paste ${headingOfFields(one.fields, one.alias)} ${one.fields.text}`

/** An item as the server would keep it. */
const normalised = (one: Wanted, now: number): Wanted | Unusable => {
  if (one.expiresAt !== undefined && !(Date.parse(one.expiresAt) > now))
    return { place: one.place, reason: `has expired: ${one.expiresAt}` }
  if (one.type === 'paste') return one
  try {
    return { ...one, url: parseTarget(one.url).href }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { place: one.place, reason: error.message }
  }
}

const isThere = async (target: Target, { text }: PasteFields, candidates: readonly Item[]) => {
  for (const { id } of candidates) if ((await stillThere(target, 'pastes', id))?.text === text) return true
  return false
}

/** Oldest first, so that they are listed in the order they had; what tells no time stays where it is. */
const inOrder = (wanted: readonly Wanted[]) => {
  const timeOf = ({ createdAt = '' }: Wanted) => Date.parse(createdAt)
  if (wanted.some((one) => Number.isNaN(timeOf(one)))) return wanted
  return wanted.toSorted((a, b) => timeOf(a) - timeOf(b))
}

/** Compares a file with what the key has made: links by their names and targets, pastes by all that they hold. @throws {Failure} */
export const planImport = async (
  target: Target,
  contents: Contents,
  { progress, now }: Pick<Terminal, 'progress' | 'now'>,
): Promise<Plan> => {
  progress('looking at what is there')
  const pastes = await Array.fromAsync(itemsOfKey(target, 'pastes'))
  const links = await Array.fromAsync(itemsOfKey(target, 'links'))
  const targets = new Set(links.map((link: Heading) => nameAndTarget(link)))
  const headings = Map.groupBy(pastes, (paste: Item) => headingOf(paste))
  const unusable = [...contents.unusable]
  const wanted: Wanted[] = []
  const seen = new Set<string>()
  let known = 0
  for (const [at, raw] of contents.wanted.entries()) {
    progress(`compared ${at} of ${contents.wanted.length}`)
    const one = normalised(raw, now())
    if ('reason' in one) {
      unusable.push(one)
      continue
    }
    const identity = Bun.hash(identityOf(one)).toString()
    const isKnown =
      seen.has(identity) ||
      (one.type === 'link'
        ? targets.has(nameAndTarget(one))
        : await isThere(target, one.fields, headings.get(headingOfFields(one.fields, one.alias)) ?? []))
    seen.add(identity)
    if (isKnown) known++
    else wanted.push(one)
  }
  return { wanted: inOrder(wanted), known, unusable }
}
