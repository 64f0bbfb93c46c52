import { AppError } from '../../errors.ts'
import { parseTarget } from '../../services/links.ts'
import { type Item, itemsOfKey, stillThere } from '../client/items.ts'
import type { Target } from '../client/target.ts'
import type { Terminal } from '../terminal.ts'
import { type Contents, contentOf, type Unusable, type Wanted } from './import-lines.ts'

/** What an import has to do. */
export type Plan = {
  wanted: readonly Wanted[]
  /** Items that the key already has, or that the file contains twice. */
  known: number
  unusable: readonly Unusable[]
}

type Heading = Readonly<Record<string, unknown>>

/** Everything that a list says of an item; if it differs, the items differ. */
const headingOf = (type: Wanted['type'], item: Heading) =>
  JSON.stringify([...contentOf(type, true).map((name) => item[name]), item.bytes, item.alias])

const headingOfWanted = ({ type, fields, alias }: Wanted) =>
  headingOf(type, {
    ...{ ...fields, alias },
    bytes: fields.text === undefined ? undefined : Buffer.byteLength(fields.text),
  })

/** An item as the server would store it. */
const normalised = (one: Wanted, now: number): Wanted | Unusable => {
  if (one.expiresAt !== undefined && !(Date.parse(one.expiresAt) > now))
    return { place: one.place, reason: `has expired: ${one.expiresAt}` }
  if (one.type === 'paste') return one
  try {
    const { url = '' } = one.fields
    return { ...one, fields: { ...one.fields, url: parseTarget(url).href } }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { place: one.place, reason: error.message }
  }
}

const isThere = async (target: Target, text: string | undefined, candidates: readonly Item[]) => {
  for (const { id } of candidates) if ((await stillThere(target, 'pastes', id))?.text === text) return true
  return false
}

/** Sorts the oldest first, so new items are listed in the same order. Without all times, keeps the order of the file. */
const inOrder = (wanted: readonly Wanted[]) => {
  const timeOf = ({ createdAt = '' }: Wanted) => Date.parse(createdAt)
  if (wanted.some((one) => Number.isNaN(timeOf(one)))) return wanted
  return wanted.toSorted((a, b) => timeOf(a) - timeOf(b))
}

/** Compares a file with what the key created: links by their list entry, pastes also by their text. @throws {Failure} */
export const planImport = async (
  target: Target,
  contents: Contents,
  { progress, now }: Pick<Terminal, 'progress' | 'now'>,
): Promise<Plan> => {
  progress('looking at what is there')
  const pastes = await Array.fromAsync(itemsOfKey(target, 'pastes'))
  const links = await Array.fromAsync(itemsOfKey(target, 'links'))
  const ofLinks = new Set(links.map((link: Item) => headingOf('link', link)))
  const ofPastes = Map.groupBy(pastes, (paste: Item) => headingOf('paste', paste))
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
    const heading = headingOfWanted(one)
    const { text } = one.fields
    const identity = Bun.hash(`${one.type} ${heading} ${text}`).toString()
    const isKnown =
      seen.has(identity) ||
      (one.type === 'link' ? ofLinks.has(heading) : await isThere(target, text, ofPastes.get(heading) ?? []))
    seen.add(identity)
    if (isKnown) known++
    else wanted.push(one)
  }
  return { wanted: inOrder(wanted), known, unusable }
}
