import { type createClient, examplePaste } from '../../test/support/client.ts'
import { testKey } from '../../test/support/process.ts'
import type { Entry, Ledger } from './ledger.ts'
import type { LimitedLedger } from './limited.ts'
import type { Random } from './random.ts'

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

const pathOf = (address = '') => {
  const { pathname, search } = new URL(address)
  return pathname + search
}

/** Where the key that made an item deletes it. */
const ownPathOf = ({ path }: Entry) => {
  const id = path.split('/').at(-1)
  return path.startsWith('/s/') ? `/links/${id}` : `/pastes/${id}`
}

/**
 * Few at a time, so that names are wanted at once, taken, and taken again; new ones after a while, for a name whose item was
 * stored but never acknowledged stays taken.
 */
const nameAt = (items: number, random: Random) => `name-${items >> 8}-${random.below(24)}`

/** Creates an item, half of them under a name, some links with a lifetime. @returns nothing where the name was taken */
const createItem = async ({ client, ledger, random }: LoadParts, isLink: boolean) => {
  const expiry = isLink && random.next() < 0.4 ? { expiresIn: 1 + random.below(5) } : undefined
  const alias = !expiry && random.next() < 0.5 ? nameAt(ledger.entries.length, random) : undefined
  const expected = isLink
    ? `http://example.org/${random.below(1e9)}`
    : `${random.below(1e9)}${randomText(random)}`
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

const step = async (parts: LoadParts) => {
  const { client, url, ledger, limited, random } = parts
  if (random.next() < 0.05) return limited.create(client, random)
  if (random.next() < 0.2) return limited.read(url, random)
  const choice = random.next()
  if (choice < 0.3) {
    const victim = ledger.takeVictim(random)
    if (!victim) return
    const path = random.next() < 0.5 ? victim.deletionPath : ownPathOf(victim)
    const response = await fetch(url + path, { method: 'DELETE', headers: { key: testKey } })
    if (response.status !== 200) throw new Error(`a deletion answered ${response.status}`)
    victim.state = 'deleted'
  } else if (choice < 0.4 && ledger.entries.length) {
    const entry = random.pick(ledger.entries)
    entry.visits++
    await (await fetch(url + entry.path, { redirect: 'manual' })).text()
  } else await createItem(parts, choice < 0.65)
}

const isCutOff = (error: unknown) =>
  ['ConnectionRefused', 'ECONNRESET', 'ConnectionClosed', 'ECONNREFUSED'].includes(
    (error as { code?: string }).code ?? '',
  )

/** One connection's worth of creations and deletions, until the server is gone. */
export const work = async (parts: LoadParts, isOver: () => boolean) => {
  while (!isOver()) {
    try {
      await step(parts)
    } catch (error) {
      if (isOver() && isCutOff(error)) return
      throw error
    }
  }
}
