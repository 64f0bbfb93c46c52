import type { Page } from 'playwright-core'

/** A file outside the browser. */
export const file = (name: string, text: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
})

/** Drops a file somewhere on the page. */
export const drop = async (page: Page, { name, buffer }: ReturnType<typeof file>) => {
  const dataTransfer = await page.evaluateHandle(
    `(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([${JSON.stringify(String(buffer))}], ${JSON.stringify(name)}))
      return transfer
    })()`,
  )
  await page.dispatchEvent('main', 'drop', { dataTransfer })
}
