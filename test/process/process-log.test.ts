import { describe, expect, test } from 'bun:test'
import { createClient } from '../support/client.ts'
import { type RunningServer, start, testKey } from '../support/process.ts'

const secrets = { text: 'Text-7c1', title: 'Title-7c1', description: 'Description-7c1' }
const wrongKey = 'wrong-key-7c1-wrong-key'

/** One of everything that a client can do; returns what the log must not hold. */
const doEverything = async (server: RunningServer) => {
  const { paste, link, post, get } = createClient(server.url)
  const html = { Accept: 'text/html' }
  const made = [await paste(secrets), await link(`https://example.org/${secrets.text}`)]
  const { deletionUrl: kept = '' } = await paste(secrets)
  await post('/paste', secrets, { key: wrongKey })
  await post('/paste', `{"text":"${secrets.text}"`)
  await post('/paste', { ...secrets, language: secrets.text })
  await post('/shortener', { url: `ftp://${secrets.text}` })
  await get(`/${secrets.text}`, { key: testKey })
  for (const item of made) {
    const { deletionUrl = '', pasteUrl, shortendUrl } = item
    await get(pasteUrl ?? `${shortendUrl}+`, html)
    await get(`${deletionUrl}x`, html, { method: 'POST' })
    await get(deletionUrl, html)
    await get(deletionUrl, html, { method: 'POST' })
    await get(deletionUrl, {}, { method: 'DELETE' })
  }
  const deletionKeys = [...made.map(({ deletionUrl = '' }) => deletionUrl), kept]
  const deletionSecrets = deletionKeys.map((url) => url.slice(-26))
  return [testKey, wrongKey, ...Object.values(secrets), ...deletionSecrets]
}

const expectNoSecret = async (server: RunningServer) => {
  const unwanted = await doEverything(server)
  expect(await server.stop()).toBe(0)
  const log = server.stderr.text()
  for (const secret of unwanted) {
    expect(secret.length).toBeGreaterThan(7)
    expect(log.toLowerCase()).not.toContain(secret.toLowerCase())
  }
  // What is created before the words have opened may be found by comparing them with the index, and has this line then.
  return log.split('\n').filter((line) => line && !line.includes('the words are built'))
}

const events = [
  'started',
  'paste created',
  'short link created',
  'paste created',
  'paste deleted',
  'short link deleted',
  'stopping',
  'stopped',
]

describe('the log', () => {
  test('as text has one line for each event, and no key, no deletion key and no text', async () => {
    const lines = await expectNoSecret(await start({ args: ['--rate-limit', 'off'] }))
    const line = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (?:info|warn|error) ([a-z ]+?)(?: \w+=\S+)*$/
    expect(lines.map((text) => line.exec(text)?.[1])).toEqual(events)
    expect(lines[1]).toMatch(/ id=[2-9a-z]{10} owner=environment client=127\.0\.0\.1$/)
  })

  test('as JSON has one object for each event, and no key, no deletion key and no text', async () => {
    const lines = await expectNoSecret(await start({ args: ['--rate-limit', 'off', '--log', 'json'] }))
    const objects = lines.map((line) => JSON.parse(line))
    expect(objects.map(({ event }) => event)).toEqual(events)
    for (const { time, level } of objects) {
      expect(new Date(time).toISOString()).toBe(time)
      expect(level).toBe('info')
    }
    expect(objects[1]).toMatchObject({ id: expect.any(String), owner: 'environment', client: '127.0.0.1' })
  })

  test('switched off is silent', async () => {
    expect(await expectNoSecret(await start({ args: ['--rate-limit', 'off', '--log', 'off'] }))).toEqual([])
  })
})
