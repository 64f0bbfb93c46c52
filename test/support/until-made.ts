import { browser } from './expectations.ts'

/** Longer than a failure is remembered: the next try may go well. */
const [mostTries, everyMs] = [300, 250]

/**
 * Waits until the page at an address shows what was asked for. On a busy machine, the first readers get the plain
 * text, or no comparison.
 * @throws {Error} if it is never made
 */
export const untilMade = async (address: string) => {
  for (let at = 0; at < mostTries; at++) {
    const page = await (await fetch(address, { headers: browser })).text()
    if (!page.includes('id="plain"') && !page.includes('took too long')) return address
    await Bun.sleep(everyMs)
  }
  throw new Error(`${address} is not made`)
}
