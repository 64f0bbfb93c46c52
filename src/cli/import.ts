import { AppError } from '../errors.ts'
import { isDetected } from '../items/field.ts'
import { parseTarget } from '../services/links.ts'
import { createItem, itemsOfKey, type OwnItem, stillThere } from './client/items.ts'
import { type Target, targetOf } from './client/login.ts'
import { about, Failure, waitWords, withinRate } from './client/send.ts'
import { contentNames, type ImportItem, readSource, type Unusable } from './import-sources.ts'
import { type ClientCommand, type ClientFlags, plural, type Terminal } from './terminal.ts'

/** An item as the server would store it. */
const normalised = (one: ImportItem, now: number): ImportItem | Unusable => {
  if (one.expiresAt !== undefined && !(Date.parse(one.expiresAt) > now))
    return { place: one.place, reason: `has expired: ${one.expiresAt}` }
  if (one.type === 'paste') return one
  try {
    return { ...one, fields: { ...one.fields, url: parseTarget(one.fields.url ?? '').href } }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { place: one.place, reason: error.message }
  }
}

/** What a list says of an item, but its language, which the server may still have to find; if it differs, the items differ. */
const headingOf = (type: ImportItem['type'], item: Readonly<Record<string, unknown>>) => {
  const names = contentNames(type, true).filter((name) => name !== 'language')
  return JSON.stringify([...names.map((name) => item[name]), item.bytes, item.alias])
}

/** True if one of these pastes is this one. That of a burn-after-reading paste is not compared: no list has its text. */
const isThere = async (
  target: Target,
  { fields: { language }, limit }: ImportItem,
  text: string | undefined,
  candidates: readonly OwnItem[] = [],
) => {
  for (const { id, language: known } of candidates) {
    if (!isDetected(language) && language !== known) continue
    const found = await stillThere(target, 'pastes', id)
    if (found && (limit ? found.maxReads === 1 : found.text === text)) return true
  }
  return false
}

/** Sorts the oldest first, so new items are listed in the same order. Without all times, keeps the order of the file. */
const inOrder = (wanted: readonly ImportItem[]) => {
  const createdOf = ({ createdAt = '' }: ImportItem) => Date.parse(createdAt)
  if (wanted.some((one) => Number.isNaN(createdOf(one)))) return wanted
  return wanted.toSorted((a, b) => createdOf(a) - createdOf(b))
}

/** The text of a paste, or why there is none; `undefined` for a link. */
const textToSend = async ({ type, fields, read }: ImportItem) => {
  if (type === 'link') return undefined
  return read ? await read() : fields.text
}

const textOrReason = (one: ImportItem): Promise<string | undefined | Unusable> =>
  textToSend(one).catch((error) => {
    if (error instanceof Failure) return { place: one.place, reason: error.message }
    throw error
  })

/**
 * Compares what is to be imported with what the key created: links by their list entry, pastes also by their text.
 * @returns `known` are those that the key already has, or that come twice. @throws {Failure}
 */
const planImport = async (
  target: Target,
  contents: readonly (ImportItem | Unusable)[],
  { progress, now }: Terminal,
) => {
  progress('reading what is there')
  const pastes = await Array.fromAsync(itemsOfKey(target, 'pastes'))
  const links = await Array.fromAsync(itemsOfKey(target, 'links'))
  const ofLinks = new Set(links.map((link) => headingOf('link', link)))
  const ofPastes = Map.groupBy(pastes, (paste) => headingOf('paste', paste))
  const unusable = contents.filter((one) => 'reason' in one)
  const items = contents.filter((one): one is ImportItem => !('reason' in one))
  const [wanted, known]: [ImportItem[], ImportItem[]] = [[], []]
  const seen = new Set<string>()

  const isKnown = async (one: ImportItem, text: string | undefined) => {
    const { type, fields, alias } = one
    const bytes = text === undefined ? undefined : Buffer.byteLength(text)
    const heading = headingOf(type, { ...fields, alias, bytes })
    const identity = Bun.hash(`${type} ${fields.language} ${heading} ${text}`).toString()
    if (seen.has(identity)) return true
    seen.add(identity)
    return type === 'link' ? ofLinks.has(heading) : isThere(target, one, text, ofPastes.get(heading))
  }

  for (const [at, raw] of items.entries()) {
    progress(`compared ${at} of ${items.length}`)
    const one = normalised(raw, now())
    const text = 'reason' in one ? one : await textOrReason(one)
    if ('reason' in one || typeof text === 'object') unusable.push(text as Unusable)
    else ((await isKnown(one, text)) ? known : wanted).push(one)
  }
  progress('')
  return { wanted: inOrder(wanted), known, unusable }
}

/** @param now for the remaining lifetime in seconds, rounded up, because 0 is not valid */
const createOne = async (target: Target, one: ImportItem, now: number) => {
  const { type, fields, limit, alias, createdAt, expiresAt } = one
  const path = type === 'paste' ? '/paste' : '/shortener'
  const text = await textToSend(one)
  const madeAt = Date.parse(createdAt ?? '')
  const options = {
    ...(text !== undefined && { text }),
    ...limit,
    ...(madeAt >= 0 && { madeAt: new Date(madeAt).toISOString() }),
    ...(alias !== undefined && { alias }),
    ...(expiresAt !== undefined && {
      expiresIn: Math.max(1, Math.ceil((Date.parse(expiresAt) - now) / 1000)),
    }),
  }
  return createItem({ target, path, fields: { ...fields, ...options } })
}

type Tell = (
  one: ImportItem | Unusable,
  outcome: 'new' | 'created' | 'known' | 'unusable' | 'failed',
  facts?: { address?: string; reason?: string; note?: string | undefined },
) => Promise<void>

/** A line of JSON for each item with `--json`; else what needs a look, on standard error. */
const createTell =
  ({ json }: ClientFlags, { printJson, printError }: Terminal): Tell =>
  async (one, outcome, facts = {}) => {
    const says = facts.reason ?? facts.note
    if (json)
      await printJson({ place: one.place, ...('type' in one && { type: one.type }), outcome, ...facts })
    else if (says !== undefined) await printError(`shortcrust: ${one.place}: ${says}`)
  }

/** Requests at a time: a server that syncs one item takes the next. Without all times, the order of creation is that of lists. */
const lanesFor = (wanted: readonly ImportItem[]) =>
  wanted.every(({ createdAt }) => Date.parse(createdAt ?? '') >= 0) ? 4 : 1

/** Creates items, oldest first, at the pace of the rate limit. @returns the created ones and the first failure */
const createAll = async (
  target: Target,
  wanted: readonly ImportItem[],
  flags: ClientFlags,
  terminal: Terminal,
  tell: Tell,
) => {
  const made: ImportItem[] = []
  let [isSlow, isOver] = [false, false]
  let failure: Failure | undefined

  const create = async (one: ImportItem) => {
    const done = `imported ${made.length} of ${wanted.length}`
    terminal.progress(done)
    const onWait = (seconds: number) => {
      terminal.progress(`${done}; ${waitWords(seconds)}`)
      // In a log, an hour of them says no more than the first.
      if (!terminal.isWatched && !isSlow) terminal.printError(waitWords(seconds))
      isSlow = true
    }
    const attempt = () => createOne(target, one, terminal.now())
    const { address } = await withinRate(attempt, { flags, terminal, onWait })
    made.push(one)
    await tell(one, 'created', { address, note: one.note })
  }

  const left = wanted.values()
  const lane = async (_: unknown, at: number) => {
    for (const one of left) {
      try {
        await create(one)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        failure ??= error
        await tell(one, 'failed', { reason: error.message })
        // Later items would fail as well. Importing the file again creates the missing ones.
        isOver ||= error.exitCode !== 1
      }
      // Lanes that wait for the same rate would take it from each other.
      if (isOver || (isSlow && at > 0)) return
    }
  }
  await Promise.all(Array.from({ length: lanesFor(wanted) }, lane))
  terminal.progress('')
  return { made, failure }
}

/** Creates the items of a file or folder that the key does not have yet. Without `--write` it only says what it would do. */
export const importItems: ClientCommand = async ([file = ''], flags, terminal) => {
  const contents = await about(file, () => readSource(file))
  const target = await targetOf(flags, terminal)
  const { wanted, known, unusable } = await planImport(target, contents, terminal)
  const tell = createTell(flags, terminal)
  for (const one of unusable) await tell(one, 'unusable', { reason: one.reason })
  for (const one of known) await tell(one, 'known')
  const code = unusable.length === 0 ? 0 : 1
  const summary = (verb: string, made: readonly ImportItem[]) => {
    const pastes = made.filter(({ type }) => type === 'paste').length
    const kinds = `${plural(pastes, 'paste')} and ${plural(made.length - pastes, 'short link')}`
    const failed = wanted.length - made.length
    const rest = failed > 0 ? `, ${failed} not created` : ''
    const others = `${known.length} there already, ${unusable.length} cannot be imported${rest}`
    const print = flags.json ? terminal.printError : terminal.print
    return print(`${verb} ${kinds}; ${others}`)
  }
  if (!flags.write) {
    for (const one of wanted) await tell(one, 'new', { note: one.note })
    summary('would create', wanted)
    await terminal.written()
    if (wanted.length > 0) terminal.printError('nothing was done: add --write to do it')
    return code
  }
  const { made, failure } = await createAll(target, wanted, flags, terminal, tell)
  summary('created', made)
  return failure?.exitCode ?? code
}
