import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../support/client.ts'
import { type RunningServer, start } from '../support/process.ts'

const secret = 'text-that-no-log-may-hold'
const internalError = { success: false, error: 'Internal error.' }

type Made = { kind: 'pastes' | 'links'; address: string; deletion: string; file: string }

/** Whatever a disk may do to a document; `text` is what it held. */
const damages: [what: string, damage: (text: string) => string][] = [
  ['cut short', (text) => text.slice(0, text.length / 2)],
  ['empty', () => ''],
  ['null', () => 'null'],
  ['another JSON', () => `{"text":"${secret}"}`],
  ['no JSON', () => `${secret} is not JSON`],
  ['a changed character', (text) => text.replace('"owner":"e', '"owner":"E')],
]

describe('a damaged document', () => {
  const made: Made[] = []
  let server: RunningServer
  const pathOf = (address = '') => new URL(address).pathname + new URL(address).search

  beforeAll(async () => {
    const args = ['--rate-limit', 'off']
    const first = await start({ args })
    const { paste, link } = createClient(first.url)
    const add = (kind: Made['kind'], address = '', deletion = '') => {
      const id = pathOf(address).slice('/p/'.length)
      const file = join(first.data, kind, id.slice(0, 2), `${id}.json`)
      made.push({ kind, address: pathOf(address), deletion: pathOf(deletion), file })
    }
    // Two more than there are damages: these stay whole.
    for (let count = 0; count <= damages.length; count++) {
      const { pasteUrl, deletionUrl } = await paste({ text: secret })
      add('pastes', pasteUrl, deletionUrl)
      const { shortendUrl, deletionUrl: linkDeletion } = await link(`https://example.org/${secret}`)
      add('links', shortendUrl, linkDeletion)
    }
    await first.stop()
    server = await start({ args, data: first.data })
  })
  afterAll(() => server.stop())

  test.each(damages)('that is %s is an internal error for that item alone', async (what, damage) => {
    const { get } = createClient(server.url)
    const at = damages.findIndex(([name]) => name === what)
    for (const { kind, address, deletion, file } of made.slice(2 * at, 2 * at + 2)) {
      const damaged = damage(readFileSync(file, 'utf8'))
      expect(damaged).not.toBe(readFileSync(file, 'utf8'))
      writeFileSync(file, damaged)
      const addresses =
        kind === 'pastes' ? [address, address.replace('/p/', '/p/raw/')] : [address, `${address}+`]
      const answers = await Promise.all([
        ...addresses.map((path) => get(path, { Accept: 'application/json' })),
        get(deletion, {}, { method: 'DELETE' }),
      ])
      for (const answer of answers) {
        expect(answer.status).toBe(500)
        expect(await answer.json()).toEqual(internalError)
      }
      const page = await get(address, { Accept: 'text/html' })
      expect(page.status).toBe(500)
      expect(await page.text()).toMatch(/Internal error(?!.*text-that)/s)
      await server.stderr.waitFor(new RegExp(`error request failed .*${file}`))
      expect(readFileSync(file, 'utf8')).toBe(damaged)
    }
    for (const { kind, address } of made.slice(-2))
      expect((await get(address)).status).toBe(kind === 'pastes' ? 200 : 302)
  })

  test('never brings its content into the log', () => {
    expect(server.stderr.text()).toContain('request failed')
    expect(server.stderr.text()).not.toContain(secret)
  })
})
