import { describe, expect, test } from 'bun:test'
import { createClient } from '../support/client.ts'
import { browser, expectPage } from '../support/expectations.ts'
import { parsePage } from '../support/html.ts'
import { start } from '../support/process.ts'
import { quiet, withServer } from '../support/server.ts'
import { untilMade } from '../support/until.ts'

const mebibyte = 1024 ** 2
const mostBytes = 10_000_000

describe('a paste that has no room on a page', () => {
  const { client } = withServer({ args: [...quiet, '--max-paste', '8MiB'] })

  const open = async (text: string, fields = {}) => {
    const { pasteUrl = '', rawUrl = '' } = await client.paste({ text, language: 'text', ...fields })
    const html = await expectPage(await client.get(pasteUrl, browser))
    const elements = parsePage(html)
    return {
      pasteUrl,
      rawUrl,
      bytes: Buffer.byteLength(html),
      notice: elements.find(({ attributes }) => attributes.id === 'cut')?.text,
      raw: html.match(/id="cut".*?href="([^"]+)"/s)?.[1] ?? '',
      shown: elements.find(({ attributes }) => attributes.id === 'code')?.text ?? '',
    }
  }

  test('shows its first lines, and the way to all of them', async () => {
    const text = '\n'.repeat(8 * mebibyte)
    const { bytes, notice, raw, shown, pasteUrl, rawUrl } = await open(text)
    expect(bytes).toBeWithin(9_700_000, mostBytes)
    const [, lines = ''] = /^The first ([\d,]+) of 8,388,608 lines are shown\./.exec(notice ?? '') ?? []
    expect(shown).toBe('\n'.repeat(Number(lines.replaceAll(',', ''))))
    expect(new URL(raw, pasteUrl).href).toBe(rawUrl)
    expect((await (await client.get(rawUrl)).text()) === text).toBe(true)
  })

  test('shows the beginning of an enormous line', async () => {
    const text = '&'.repeat(8 * mebibyte)
    const { bytes, notice, shown } = await open(text)
    expect(bytes).toBeLessThan(mostBytes)
    expect(notice).toStartWith('Only the beginning of the first line is shown.')
    expect(shown.length).toBeGreaterThan(1_800_000)
    expect(text.startsWith(shown)).toBe(true)
  })

  test('is one of more than some 9 MB: a log of 8 MiB is shown whole', async () => {
    const text = `${'a'.repeat(119)}\n`.repeat(69_000)
    const { bytes, notice, shown } = await open(text)
    expect(bytes).toBeLessThan(mostBytes)
    expect(notice).toBeUndefined()
    expect(shown === text).toBe(true)
  })

  test('has levels and words, if it is a log', async () => {
    const text = `14:02:11 INFO ${'a'.repeat(100)}\n`.repeat(20_000)
    const { pasteUrl = '' } = await client.paste({ text: `${text}14:02:12 ERROR b\n`, language: 'log' })
    for (const query of ['?level=error', '?grep=b']) {
      const html = await expectPage(await client.get(await untilMade(pasteUrl + query), browser))
      expect(html).toContain('1 of 20,001.')
      expect(html).toContain('<li id=L20001 class=le>')
    }
  })

  test('and may be read only so often is given as its raw text, for the rest would be lost', async () => {
    const text = '\n'.repeat(2 * mebibyte)
    const { pasteUrl = '' } = await client.paste({ text, language: 'text', maxReads: 1 })
    const response = await client.get(pasteUrl, browser, { method: 'POST' })
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    expect((await response.text()) === text).toBe(true)
    expect((await client.get(pasteUrl)).status).toBe(410)
  })
})

describe('the headers of a large paste', () => {
  test('have no length of a body that was not made, and the right one of a body that was', async () => {
    const server = await start({ args: ['--rate-limit', 'off', '--log', 'off'] })
    const client = createClient(server.url)
    const { pasteUrl = '', rawUrl = '' } = await client.paste({
      text: 'ж\n'.repeat(10_000),
      language: 'text',
    })
    const lengthOf = async (address: string, headers: Record<string, string>, method = 'HEAD') =>
      (await client.get(address, { ...headers, 'Accept-Encoding': 'identity' }, { method })).headers.get(
        'Content-Length',
      )
    const json = { Accept: 'application/json' }
    expect(await lengthOf(pasteUrl, browser)).toBeNull()
    expect(await lengthOf(pasteUrl, json)).toBeNull()
    expect(await lengthOf(rawUrl, {})).toBe('30000')
    for (const [address, headers] of [
      [pasteUrl, browser],
      [pasteUrl, json],
      [rawUrl, {}],
    ] as const) {
      const length = await lengthOf(address, headers, 'GET')
      expect(Number(length)).toBeGreaterThan(20_000)
      expect(await lengthOf(address, headers)).toBe(length)
    }
    await server.stop()
  })
})
