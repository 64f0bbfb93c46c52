import type { createClient } from '../../test/support/client.ts'
import { type Sample, samples } from './samples.ts'

export type Created = Readonly<Record<'pasteUrl' | 'rawUrl' | 'shortendUrl' | 'deletionUrl', string>>

/** Pastes that pictures share: each sample is created once, when the first picture asks for it. */
export const createStock = (client: ReturnType<typeof createClient>) => {
  const pastes = new Map<Sample, Promise<Created>>()
  return {
    paste: (sample: Sample) => {
      const known = pastes.get(sample)
      if (known) return known
      const made = client.paste({ language: 'typescript', ...samples[sample] }) as Promise<Created>
      pastes.set(sample, made)
      return made
    },
  }
}
export type Stock = ReturnType<typeof createStock>
