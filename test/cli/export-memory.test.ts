import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createClient, examplePaste } from '../support/client.ts'
import { isHeldUp, openPipe, spawnInto } from '../support/pipes.ts'
import { type RunningServer, start, target, testKey } from '../support/process.ts'

const pastes = 238
const pasteBytes = 931_000
const mebibyte = 1024 ** 2

let large: RunningServer
let small: RunningServer
beforeAll(async () => {
  const args = ['--rate-limit', 'off', '--log', 'off']
  ;[large, small] = [await start({ args }), await start({ args })]
  await createClient(small.url).paste()
  const client = createClient(large.url)
  const text = 'a line of text with some "quotes" in it\n'.repeat(pasteBytes / 40)
  for (let made = 0; made < pastes; made++) await client.paste({ ...examplePaste, text: made + text })
})
afterAll(async () => {
  await large.stop()
  await small.stop()
})

/** The most memory that a process has held so far; 0 when it has ended. */
const peakBytes = (pid: number) => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

/** Exports into a pipe that nobody reads before the program waits for it. */
const exportLate = async ({ url }: RunningServer) => {
  const pipe = openPipe()
  const { child } = spawnInto([...target, 'export'], {
    env: { SHORTCRUST_SERVER: url, SHORTCRUST_KEY: testKey },
    stdout: pipe.writeEnd,
  })
  expect(await isHeldUp(child)).toBe(true)
  let [bytes, peak] = [0, peakBytes(child.pid)]
  for await (const chunk of pipe.chunks()) {
    bytes += chunk.length
    peak = Math.max(peak, peakBytes(child.pid))
  }
  expect(await child.exited).toBe(0)
  return { bytes, peak }
}

test('export of 222 MB to a slow reader is whole, in 64 MiB more than an export of one paste takes', async () => {
  const one = await exportLate(small)
  const all = await exportLate(large)
  expect(one.peak).toBeWithin(20 * mebibyte, 150 * mebibyte)
  expect(all.bytes).toBeGreaterThan(pastes * pasteBytes)
  expect(all.peak - one.peak).toBeLessThan(64 * mebibyte)
})
