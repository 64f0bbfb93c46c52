import type { createClient } from '../../test/support/client.ts'
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

const step = async ({ client, url, ledger, limited, random }: LoadParts) => {
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
  } else if (choice < 0.65) {
    const expected = `http://example.org/${random.below(1e9)}`
    const body = { url: expected, ...(choice < 0.5 && { expiresIn: 1 + random.below(5) }) }
    const response = await client.post('/shortener', body)
    if (response.status !== 201) throw new Error(`a link answered ${response.status}`)
    const { shortendUrl, deletionUrl, expiresAt } = (await response.json()) as Record<string, string>
    ledger.add({
      path: pathOf(shortendUrl),
      expected,
      deletionPath: pathOf(deletionUrl),
      state: 'alive',
      visits: 0,
      ...(expiresAt && { expiresAt: Date.parse(expiresAt) }),
    })
  } else {
    const text = randomText(random)
    const { rawUrl, deletionUrl } = await client.paste({ text })
    ledger.add({
      path: pathOf(rawUrl),
      expected: text,
      deletionPath: pathOf(deletionUrl),
      state: 'alive',
      visits: 0,
    })
  }
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
