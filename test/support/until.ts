import { browser } from './expectations.ts'

const everyMs = 100

/**
 * Asks until it is so. Without JavaScript, `waitForFunction` asks once: it waits for frames that do not come.
 * @throws {Error} if it is still not so
 */
export const untilTrue = async (ask: () => Promise<boolean>, what = 'it', mostMs = 60_000) => {
  for (const end = performance.now() + mostMs; performance.now() < end; await Bun.sleep(everyMs))
    if (await ask()) return
  throw new Error(`${what} is not so after ${mostMs} ms`)
}

/**
 * Waits until the page at an address shows what was asked for. On a busy machine, the first readers get the plain
 * text, or no comparison; a try that fails after a minute is remembered for another one, and the next may go well.
 * @throws {Error} if it is never made
 */
export const untilMade = async (address: string) => {
  const isMade = async () => {
    const page = await (await fetch(address, { headers: browser })).text()
    return !page.includes('id="plain"') && !page.includes('took too long')
  }
  await untilTrue(isMade, `the page ${address}`, 150_000)
  return address
}
