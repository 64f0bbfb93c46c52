import { type createClient, examplePaste } from '../../test/support/client.ts'
import { testKey } from '../../test/support/process.ts'
import type { Random } from '../crash/random.ts'
import { type Ledger, ownPathOf } from './ledger.ts'
import type { LimitedLedger } from './limited.ts'

export type LoadParts = {
  client: ReturnType<typeof createClient>
  url: string
  ledger: Ledger
  limited: LimitedLedger
  random: Random
}

const pieces = ['a', 'é', '€', '😀', '\r\n', '\n', '\t', '\0', '"', '\\', '<b>', 'lorem ipsum ']

/** Mostly small texts, now and then one of some hundred kilobytes. */
const randomText = (random: Random) => {
  const length = random.next() < 0.02 ? 20_000 : 1 + random.below(200)
  return Array.from({ length }, () => random.pick(pieces)).join('')
}

/** So that it is found by this word, and nothing else is. */
const uniqueWord = (random: Random) => `w${random.below(1e9)}e${random.below(1e9)}`

const pathOf = (address = '') => {
  const { pathname, search } = new URL(address)
  return pathname + search
}

/**
 * Few at a time, so that names are wanted at once, taken, and taken again; new ones after a while, for a name whose item was
 * stored but never acknowledged stays taken.
 */
const nameAt = (items: number, random: Random) => `name-${items >> 8}-${random.below(24)}`

/** Creates an item, half of them under a name, some links with a lifetime. @returns nothing where the name was taken */
export const createItem = async ({ client, ledger, random }: LoadParts, isLink: boolean) => {
  const expiry = isLink && random.next() < 0.4 ? { expiresIn: 1 + random.below(5) } : undefined
  const alias = !expiry && random.next() < 0.5 ? nameAt(ledger.entries.length, random) : undefined
  const expected = isLink
    ? `http://example.org/${uniqueWord(random)}`
    : `${uniqueWord(random)} ${randomText(random)}`
  const response = await (isLink
    ? client.post('/shortener', { url: expected, alias, ...expiry })
    : client.post('/paste', { ...examplePaste, text: expected, alias }))
  const answer = (await response.json()) as Record<string, string>
  if (alias !== undefined && response.status === 409) return
  if (response.status !== 201) throw new Error(`a creation answered ${response.status}: ${answer.error}`)
  const deletionPath = pathOf(answer.deletionUrl)
  // A deletion key begins with the id.
  const id = deletionPath.split('key=')[1]?.slice(0, isLink ? 7 : 10)
  const folder = isLink ? '/s' : '/p/raw'
  const named = alias === undefined ? {} : { named: `${folder}/${alias}` }
  const expiresAt = answer.expiresAt === undefined ? {} : { expiresAt: Date.parse(answer.expiresAt) }
  const path = `${folder}/${id}`
  ledger.add({ path, expected, deletionPath, state: 'alive', visits: 0, ...named, ...expiresAt })
}

export const deleteItem = async ({ url, ledger, random }: LoadParts) => {
  const victim = ledger.takeVictim(random)
  if (!victim) return
  const path = random.next() < 0.5 ? victim.deletionPath : ownPathOf(victim)
  const response = await fetch(url + path, { method: 'DELETE', headers: { key: testKey } })
  if (response.status !== 200) throw new Error(`a deletion answered ${response.status}`)
  ledger.noteDeleted(victim)
}

/** Changes the text of a paste, or the target of a link. */
export const changeItem = async ({ url, ledger, random }: LoadParts) => {
  const entry = ledger.takeChange(random, ({ path }) =>
    path.startsWith('/s/')
      ? `http://example.org/${uniqueWord(random)}`
      : `${uniqueWord(random)} ${randomText(random)}`,
  )
  if (!entry) return
  const body = entry.path.startsWith('/s/') ? { url: entry.pending } : { text: entry.pending }
  const headers = { key: testKey, 'Content-Type': 'application/json' }
  const response = await fetch(url + ownPathOf(entry), {
    method: 'PATCH',
    headers,
    body: JSON.stringify(body),
  })
  if (response.status !== 200) throw new Error(`a change answered ${response.status}`)
  ledger.noteChanged(entry)
}

const visit = async ({ url, ledger, random }: LoadParts) => {
  if (ledger.entries.length === 0) return
  const entry = random.pick(ledger.entries)
  ledger.noteVisit(entry)
  await (await fetch(url + entry.path, { redirect: 'manual' })).text()
}

/** How often an operation comes, beside the others. */
export type Operation = { weight: number; act: (parts: LoadParts) => Promise<unknown> }

/** The parts of a load. */
export const operations: readonly Operation[] = [
  { weight: 27, act: (parts) => createItem(parts, false) },
  { weight: 19, act: (parts) => createItem(parts, true) },
  { weight: 23, act: deleteItem },
  { weight: 12, act: changeItem },
  { weight: 7, act: visit },
  { weight: 5, act: ({ limited, client, random }) => limited.create(client, random) },
  { weight: 19, act: ({ limited, url, random }) => limited.read(url, random) },
]

/** One operation, whichever comes. @throws for an answer that it should not have */
export const step = async (parts: LoadParts, table = operations) => {
  let at = parts.random.next() * table.reduce((sum, { weight }) => sum + weight, 0)
  for (const { weight, act } of table) {
    at -= weight
    if (at < 0) return act(parts)
  }
}

const isCutOff = (error: unknown) =>
  ['ConnectionRefused', 'ECONNRESET', 'ConnectionClosed', 'ECONNREFUSED'].includes(
    (error as { code?: string }).code ?? '',
  )

/** One connection's worth of operations, until the server is gone. */
export const work = async (parts: LoadParts, isOver: () => boolean, table = operations) => {
  while (!isOver()) {
    try {
      await step(parts, table)
    } catch (error) {
      if (isOver() && isCutOff(error)) return
      throw error
    }
  }
}
