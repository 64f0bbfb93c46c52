import { resolve } from 'node:path'
import { sizeText } from '../../format.ts'
import type { StoredKey } from '../../items/schema.ts'
import {
  createKeys,
  isKeyExpired,
  isScope,
  type KeyLimits,
  type Keys,
  type LimitChanges,
  limitedBy,
  parseLifetime,
} from '../../services/keys.ts'
import { parseRate, rateText, shownStore } from '../../settings/values.ts'
import { lastUses } from '../../store/derived/counts-store.ts'
import { folderOfKeys } from '../../store/folder/data-folder.ts'
import { type KeyStore, openKeyStore } from '../../store/folder/key-file.ts'
import { didYouMean } from '../nearest.ts'
import { figuresOfFolder } from '../stats.ts'
import type { Command, KeyFlags, Terminal } from '../terminal.ts'
import { plural } from '../terminal.ts'

/** What a key did: the minute of its last use, and what it made that is still there. */
type KeyFacts = { usedAt?: number | undefined; items: number; bytes: number }

/** Where the keys are. */
type KeyPlace = {
  store: KeyStore
  /** The folder, or the address of the database without the password. */
  where: string
  /** By the name of the key. */
  facts: () => Promise<(name: string) => KeyFacts>
  close: () => unknown
}

const inFolder = (folder: string, terminal: Terminal): KeyPlace => ({
  store: openKeyStore(folder),
  where: folder,
  facts: async () => {
    const uses = await lastUses(folder)
    const { sum } = await figuresOfFolder(folder, terminal)
    return (name) => ({ usedAt: uses.get(name), ...sum.of(name) })
  },
  close: () => {},
})

const inDatabase = async (url: string): Promise<KeyPlace> => {
  const { openDb } = await import('../../store/postgres/db.ts')
  const { factsOfKeys, openKeys } = await import('../../store/postgres/access.ts')
  const db = await openDb({ url })
  return {
    store: openKeys(db),
    where: shownStore(url),
    facts: async () => {
      const facts = await factsOfKeys(db)
      return (name) => facts.get(name) ?? { items: 0, bytes: 0 }
    },
    close: db.close,
  }
}

type Job = { keys: Keys; place: KeyPlace; name: string; limits: LimitChanges; terminal: Terminal }
type Action = (job: Job) => Promise<void>

const limitsIn = (limits: KeyLimits, { now }: Terminal) =>
  limitWords(limits, now())
    .filter((word) => word !== '')
    .map((word) => `, ${word}`)
    .join('')

const add: Action = async ({ keys, place, name, limits, terminal }) => {
  const words = limitsIn(limitedBy({}, limits), terminal)
  await keys.add(name, limits, async (key) => {
    terminal.printError(`API key "${name}"${words}, for ${place.where}, shown only this once:`)
    terminal.print(key)
    await terminal.written().catch((error) => {
      terminal.tellUnwritten('no key was made')
      throw error
    })
  })
}

/** Pads every column to its longest cell; a column that is empty in every row is left out. */
const columns = (rows: readonly (readonly string[])[]) => {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .filter((cell) => cell !== '')
      .join('  ')
      .trimEnd(),
  )
}

/** A use before the minute of the key's creation belongs to an earlier key with the same name. */
const lastUseWords = ({ createdAt }: StoredKey, { usedAt = 0 }: KeyFacts) =>
  usedAt + 60_000 > createdAt ? `last used ${new Date(usedAt).toISOString().slice(0, 16)}Z` : ''

/** Nothing for a key that made nothing. */
const heldWords = ({ items, bytes }: KeyFacts) =>
  items === 0 ? ['', ''] : [plural(items, 'item'), sizeText(bytes)]

const listKeys: Action = async ({ keys, place: { where, facts }, terminal }) => {
  const { now, print, printError, isWatched } = terminal
  const all = await keys.list()
  if (all.length === 0) printError(`there are no keys in ${where}; make one with: shortcrust keys add NAME`)
  else if (isWatched) printError(`keys in ${where}:`)
  if (all.length === 0) return
  const time = now()
  const factsOf = await facts()
  const rows = all.map((key) => [
    key.name,
    new Date(key.createdAt).toISOString(),
    ...limitWords(key, time),
    lastUseWords(key, factsOf(key.name)),
    ...heldWords(factsOf(key.name)),
  ])
  for (const line of columns(rows)) await print(line)
}

const set: Action = async ({ keys, place, name, limits, terminal }) => {
  const key = await keys.set(name, limits)
  const words = limitsIn(key, terminal) || ', without limits'
  terminal.printError(`API key "${name}"${words}, changed in ${place.where}`)
}

const revoke: Action = async ({ keys, place, name, terminal }) => {
  await keys.revoke(name)
  terminal.printError(`API key "${name}" revoked in ${place.where}`)
}

const actions: Readonly<Record<string, { run: Action; words: number }>> = {
  add: { run: add, words: 1 },
  set: { run: set, words: 1 },
  list: { run: listKeys, words: 0 },
  revoke: { run: revoke, words: 1 },
}

/** The limits in the flags. @throws {Error} with a message for the terminal */
const readLimits = (verb: string, { create, ...limits }: KeyFlags, now: number, isFolder: boolean) => {
  const [given] = Object.keys(limits).filter((name) => limitFlags.has(name))
  if (create && verb !== 'add') throw new Error('--create belongs to keys add')
  if (create && !isFolder) throw new Error('--create makes a data folder; with --store there is none')
  if (given && verb !== 'add' && verb !== 'set')
    throw new Error(`--${given} belongs to keys add and keys set`)
  if (!given && verb === 'set')
    throw new Error('nothing to change: give --expires, --rate, --only or --admin; none takes one away')
  return limitsOf(limits, now)
}

const folderAdvice: Readonly<Record<string, string>> = {
  add: 'name it with --data, or make it with --create',
}

/** Creates, changes, lists and revokes API keys, also while a server runs. @param usage text of the usage line */
export const createKeysCommand =
  (usage: string): Command =>
  async ([verb = '', ...rest], { dataFolder, store: url }, terminal, flags) => {
    const action = Object.hasOwn(actions, verb) ? actions[verb] : undefined
    const hint = action ? '' : didYouMean(verb, Object.keys(actions))
    if (hint !== '') {
      terminal.printError(`shortcrust: unknown command "keys ${verb}"${hint}`)
      return 2
    }
    if (!action || rest.length !== action.words) {
      terminal.printError(`usage: ${usage}`)
      return 2
    }
    const { ids, now } = terminal
    let limits: LimitChanges
    try {
      limits = readLimits(verb, flags, now(), url === undefined)
    } catch (error) {
      terminal.printError(`shortcrust: ${(error as Error).message}`)
      return 2
    }
    const folder = () => (flags.create ? resolve(dataFolder) : folderOfKeys(dataFolder, folderAdvice[verb]))
    const place = url === undefined ? inFolder(folder(), terminal) : await inDatabase(url)
    try {
      const keys = createKeys({ store: place.store, ids, now })
      await action.run({ keys, place, limits, terminal, name: rest[0] ?? '' })
    } finally {
      await place.close()
    }
    return 0
  }

const expected = (flag: keyof KeyFlags, what: string, raw: string) =>
  new Error(`--${flag}: expected ${what}, not "${raw}"`)

const expiryOf = (raw: string, now: number) => {
  const lifetimeMs = parseLifetime(raw)
  if (lifetimeMs === undefined)
    throw expected('expires', 'a duration in s, m, h, d or w such as 90d, at most 3650d', raw)
  return now + lifetimeMs
}

const rateOf = (raw: string) => {
  try {
    return parseRate(raw)
  } catch (error) {
    throw expected('rate', (error as Error).message, raw)
  }
}

const scopeOf = (raw: string) => {
  if (!isScope(raw)) throw expected('only', 'paste or shorten', raw)
  return raw
}

const adminOf = (raw: string) => {
  if (raw !== 'yes') throw expected('admin', 'none or nothing', raw)
  return true
}

const orNone = <T>(raw: string, parse: (raw: string) => T) => (raw === 'none' ? raw : parse(raw))

/** Parses the limits in the flags. @throws {Error} whose message names the first wrong flag */
const limitsOf = ({ expires, rate, only, admin }: KeyFlags, now: number): LimitChanges => ({
  ...(expires === undefined ? {} : { expiresAt: orNone(expires, (raw) => expiryOf(raw, now)) }),
  ...(rate === undefined ? {} : { rate: orNone(rate, rateOf) }),
  ...(only === undefined ? {} : { only: orNone(only, scopeOf) }),
  ...(admin === undefined ? {} : { admin: orNone(admin, adminOf) }),
})

/** The flags of `keys add` and `keys set`. */
const limitFlags: ReadonlySet<string> = new Set(['expires', 'rate', 'only', 'admin'])

/** Expiry, rate, scope and whether it is an admin key, in words; empty without such a limit. */
const limitWords = (limits: KeyLimits, now: number): readonly string[] => {
  const { expiresAt, rate, only, admin } = limits
  return [
    expiresAt === undefined
      ? ''
      : `${isKeyExpired(limits, now) ? 'EXPIRED' : 'expires'} ${new Date(expiresAt).toISOString()}`,
    rate === undefined ? '' : rateText(rate),
    only === undefined ? '' : `only ${only}`,
    admin ? 'admin' : '',
  ]
}
