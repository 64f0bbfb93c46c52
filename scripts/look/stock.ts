import type { createClient } from '../../test/support/client.ts'
import { type Sample, samples } from './samples.ts'

/** How many items the keys of the lists have. */
export const ownedCounts = [0, 3, 300] as const

export type Created = Readonly<Record<'pasteUrl' | 'rawUrl' | 'shortendUrl' | 'deletionUrl', string>>

type Client = ReturnType<typeof createClient>

/** Keeps what a function answers for each name, so that it is made once. */
const once = <N, T>(make: (name: N) => Promise<T>) => {
  const made = new Map<N, Promise<T>>()
  return (name: N) => {
    const known = made.get(name) ?? make(name)
    made.set(name, known)
    return known
  }
}

const fillListOf = async (client: Client, count: number) => {
  for (let at = 0; at < count; at++)
    if (at % 3 === 2) await client.link(`https://example.org/${at}`, at % 2 ? { maxVisits: 5 } : {})
    else await client.paste({ title: at % 5 === 3 ? '' : `Item number ${at + 1}`, text: `text ${at}\n` })
}

/** What pictures share: made once, when the first picture asks for it. @param keyOf the key of a name */
export const createStock = (clientOf: (key?: string) => Client, keyOf: (name: string) => string) => ({
  paste: once<Sample, Created>(
    (sample) => clientOf().paste({ language: 'typescript', ...samples[sample] }) as Promise<Created>,
  ),
  /** A key that has created so many items. */
  owner: once(async (count: (typeof ownedCounts)[number]) => {
    const key = keyOf(`owner-${count}`)
    await fillListOf(clientOf(key), count)
    return key
  }),
})
export type Stock = ReturnType<typeof createStock>
