import { beforeAll, describe, expect, test } from 'bun:test'
import { explore, isSpare, neededSyncs } from '../../scripts/rig/explore.ts'
import { type Recording, record } from '../../scripts/rig/record.ts'
import { temporaryFolder } from '../support/process.ts'
import { hasStrace } from '../support/strace.ts'

describe.skipIf(!hasStrace)('a power cut', () => {
  const seed = 5
  let recording: Recording
  beforeAll(async () => {
    recording = await record(seed, 150, temporaryFolder())
  })

  test('loses nothing in 20 states', async () => {
    expect(await explore({ recording, states: 20 })).toBeUndefined()
  })

  test.each(neededSyncs)('without the sync of "%s" loses something within 500 states', async (forgotten) => {
    expect(await explore({ recording, states: 500, forgotten })).toBeDefined()
  })

  test('finds no sync but those, and those that acknowledge nothing', () => {
    const sites = new Set(recording.trace.syncs.map(({ site }) => site))
    expect([...sites].filter((site) => !neededSyncs.includes(site) && !isSpare(site))).toEqual([])
    expect(neededSyncs.filter((site) => !sites.has(site))).toEqual([])
  })
})
