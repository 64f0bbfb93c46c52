import { browser } from './expectations.ts'

/** On a machine so busy that a try fails after a minute, it is remembered for another one, and the next may go well. */
const [mostMs, everyMs] = [150_000, 250]

/**
 * Waits until the page at an address shows what was asked for. On a busy machine, the first readers get the plain
 * text, or no comparison.
 * @throws {Error} if it is never made
 */
export const untilMade = async (address: string) => {
  for (const end = performance.now() + mostMs; performance.now() < end; await Bun.sleep(everyMs)) {
    const page = await (await fetch(address, { headers: browser })).text()
    if (!page.includes('id="plain"') && !page.includes('took too long')) return address
  }
  throw new Error(`${address} is not made`)
}
