import { describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, examplePaste } from '../support/client.ts'
import { openConnection } from '../support/connection.ts'
import {
  countsFileIn,
  idOf,
  pathOf,
  shownVisits,
  storedCount,
  storedCounts,
  storedRows,
  waitForStoredCount,
} from '../support/counts.ts'
import { browser } from '../support/expectations.ts'
import { run, start, temporaryFolder, testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'
import { nothingWrong, problemsIn } from '../support/verified.ts'

const unlimited = ['--rate-limit', 'off']
const slackbot = { 'User-Agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }
const firefox = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0' }

describe('the page of a link', () => {
  const { server, client } = withServer({ args: unlimited })

  test('says how often it was followed, at once, however its address is written', async () => {
    const { shortendUrl = '' } = await client.link()
    expect(await shownVisits(server.url, shortendUrl)).toBe('No visits yet')
    await client.get(shortendUrl)
    expect(await shownVisits(server.url, shortendUrl)).toBe('1 visit')
    await client.get(shortendUrl, firefox)
    await client.get(`${server.url}${pathOf(shortendUrl).toUpperCase().replace('/S/', '/s/')}`)
    await client.get(`${shortendUrl}?a=b`, { 'If-None-Match': '*' })
    expect(await shownVisits(server.url, shortendUrl)).toBe('4 visits')
  })

  test('leaves out who only looks: HEAD, its own readers, robots, prefetches, deletion links, QR codes', async () => {
    const { shortendUrl = '', deletionUrl = '' } = await client.link()
    const answers = [
      await client.get(shortendUrl, {}, { method: 'HEAD' }),
      await client.get(`${shortendUrl}+`, browser),
      await client.get(`${shortendUrl}%2B`, browser),
      await client.get(shortendUrl, slackbot),
      await client.get(shortendUrl, { ...firefox, 'Sec-Purpose': 'prefetch' }),
      await client.get(deletionUrl, browser),
      await client.get(`${server.url}/qr${pathOf(shortendUrl)}`),
      await client.get(shortendUrl, {}, { method: 'POST' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([302, 200, 200, 302, 302, 200, 200, 405])
    expect(await shownVisits(server.url, shortendUrl)).toBe('No visits yet')
  })
})

describe('stopping', () => {
  test('writes the reads of a paste in every form, 304 included, and nothing else of it', async () => {
    const server = await start({ args: unlimited })
    const client = createClient(server.url)
    // Plain text: a page whose highlighting is late has no entity tag, so it is not answered by 304.
    const { pasteUrl = '', rawUrl = '' } = await client.paste({ language: 'text' })
    const id = idOf(pasteUrl)
    const etag = (await client.get(rawUrl)).headers.get('ETag') ?? ''
    const page = await client.get(pasteUrl, browser)
    const counted = [
      page,
      await client.get(pasteUrl, browser),
      await client.get(pasteUrl, { ...browser, 'If-None-Match': page.headers.get('ETag') ?? '' }),
      await client.get(`${pasteUrl}?lang=python`, browser),
      // It shows the paste, and names the nearest language.
      await client.get(`${pasteUrl}?lang=nonsense`, browser),
      await client.get(pasteUrl, { Accept: 'application/json' }),
      await client.get(pasteUrl, { Accept: 'text/plain' }),
      await client.get(rawUrl, { 'If-None-Match': etag }),
      await client.get(`${server.url}/raw/${id}.ts`),
      await client.get(`${server.url}/documents/${id}`),
    ]
    expect(counted.map(({ status }) => status)).toEqual([200, 200, 304, 200, 200, 200, 200, 304, 200, 200])
    const others = [
      await client.get(rawUrl, {}, { method: 'HEAD' }),
      await client.get(pasteUrl, { ...browser, ...slackbot }),
      await client.get(`${pasteUrl}?lang=nonsense`, browser, { method: 'POST' }),
      await client.get(`${server.url}/${id}`),
      await client.get(`${server.url}/qr/p/${id}`),
      await client.get(`${server.url}/p/2222222222`),
    ]
    expect(others.map(({ status }) => status)).toEqual([200, 200, 422, 302, 200, 404])
    expect(await server.stop()).toBe(0)
    expect(storedCount(server.data, pasteUrl)).toBe(1 + counted.length)
    expect(Object.keys(storedCounts(server.data))).toEqual([`paste/${id}`])
    expect(storedRows(server.data, 'SELECT name FROM sqlite_schema ORDER BY name')).toEqual([
      ['counts'],
      ['keys'],
    ])
  })

  test.each(['SIGTERM', 'SIGINT'] as const)('by %s writes them, with a request in flight', async (signal) => {
    const server = await start()
    const client = createClient(server.url)
    const { shortendUrl = '' } = await client.link()
    const body = JSON.stringify(examplePaste)
    const connection = await openConnection(server.url)
    connection.send(
      `POST /paste HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nkey: ${testKey}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    )
    await connection.waitFor(/^HTTP\/1\.1 100 Continue\r\n/)
    for (let visit = 0; visit < 5; visit++) await client.get(shortendUrl)
    process.kill(server.pid, signal)
    await server.stderr.waitFor(/stopping/)
    connection.send(body)
    await connection.waitFor(/HTTP\/1\.1 201 Created\r\n/)
    expect(await server.exited).toBe(0)
    expect(storedCount(server.data, shortendUrl)).toBe(5)
  })
})

describe('kill -9', () => {
  test('loses nothing of what was written, and never tells more than what was', async () => {
    const first = await start({ args: unlimited })
    const { shortendUrl = '' } = await createClient(first.url).link()
    for (let visit = 0; visit < 3; visit++) await createClient(first.url).get(shortendUrl)
    await waitForStoredCount(first.data, shortendUrl, 3)
    await createClient(first.url).get(shortendUrl)
    expect(await first.kill()).toBe(137)
    const second = await start({ data: first.data })
    expect(await shownVisits(second.url, shortendUrl)).toMatch(/^[34] visits$/)
    await second.stop()
  })
})

describe('what is kept', () => {
  test('names no visitor, neither on disk nor in the log', async () => {
    const server = await start({ args: unlimited })
    const client = createClient(server.url)
    const { shortendUrl = '' } = await client.link()
    const { rawUrl = '' } = await client.paste()
    const marked = {
      'User-Agent': 'marked-agent/1.0',
      'X-Forwarded-For': '203.0.113.77',
      Referer: 'http://marked.example/',
    }
    for (const address of [shortendUrl, rawUrl, `${shortendUrl}+`]) await client.get(address, marked)
    await server.stop()
    expect(storedCount(server.data, shortendUrl)).toBe(1)
    for (const text of [
      readFileSync(countsFileIn(server.data), 'latin1'),
      server.stderr.text().replaceAll(/short link created.*|paste created.*/g, ''),
    ])
      expect(text).not.toMatch(/marked|203\.0\.113|127\.0\.0\.1/)
  })

  test('goes with the item when it is deleted', async () => {
    const server = await start({ args: unlimited })
    const client = createClient(server.url)
    const { shortendUrl = '', deletionUrl = '' } = await client.link()
    await client.get(shortendUrl)
    await waitForStoredCount(server.data, shortendUrl, 1)
    await fetch(deletionUrl, { method: 'DELETE' })
    expect((await client.get(shortendUrl)).status).toBe(410)
    await server.stop()
    expect(storedCounts(server.data)).toEqual({})
  })
})

describe('counts on disk', () => {
  test('are verified, backed up and restored', async () => {
    const server = await start({ args: unlimited })
    const client = createClient(server.url)
    const { shortendUrl = '' } = await client.link()
    await client.get(shortendUrl)
    await waitForStoredCount(server.data, shortendUrl, 1)
    const folder = temporaryFolder()
    const archive = join(folder, 'backup.tgz')
    expect((await run(['verify', '--data', server.data])).stdout).toEqual(nothingWrong)
    expect((await run(['backup', archive, '--data', server.data])).code).toBe(0)
    await server.stop()
    const data = join(folder, 'restored')
    expect((await run(['restore', archive, '--data', data])).code).toBe(0)
    const restored = await start({ data })
    expect(await shownVisits(restored.url, shortendUrl)).toBe('1 visit')
    await restored.stop()
  })
})

describe('a file of counts that is damaged', () => {
  test('harms no item: it is put aside, named by the log and by verify, and counting goes on', async () => {
    const first = await start({ args: unlimited })
    const { shortendUrl = '' } = await createClient(first.url).link('https://example.org/kept')
    await createClient(first.url).get(shortendUrl)
    await first.stop()
    writeFileSync(countsFileIn(first.data), 'broken')
    expect(await run(['verify', '--data', first.data])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('damaged  counts.sqlite: '),
    })
    const second = await start({ data: first.data })
    const answer = await createClient(second.url).get(second.url + pathOf(shortendUrl))
    expect(answer.headers.get('Location')).toBe('https://example.org/kept')
    expect(await shownVisits(second.url, shortendUrl)).toBe('1 visit')
    await second.stderr.waitFor(/error counts put aside cause=/)
    await waitForStoredCount(first.data, shortendUrl, 1)
    await second.stop()
    const aside = 'counts.sqlite.1.damaged'
    expect(readFileSync(join(first.data, aside), 'utf8')).toBe('broken')
    expect(problemsIn((await run(['verify', '--data', first.data])).stdout)).toMatch(
      new RegExp(`^damaged +${aside}: was damaged and put aside.*\n$`),
    )
    rmSync(join(first.data, aside))
    expect((await run(['verify', '--data', first.data])).code).toBe(0)
  })

  test('where telling a count does not look is named by verify and left out of a backup', async () => {
    const server = await start({ args: unlimited })
    const client = createClient(server.url)
    const { shortendUrl = '' } = await client.link()
    await client.get(shortendUrl)
    await server.stop()
    const file = countsFileIn(server.data)
    const bytes = readFileSync(file)
    // The page of the uses of keys, which telling a count does not read.
    writeFileSync(file, Buffer.from(bytes).fill(0xa5, 2 * 4096, 2 * 4096 + 100))
    const { code, stdout } = await run(['verify', '--data', server.data])
    expect({ code, named: problemsIn(stdout) }).toEqual({
      code: 1,
      named: expect.stringMatching(/^damaged {2}counts.sqlite: .+\n$/),
    })
    const archive = join(temporaryFolder(), 'backup.tgz')
    const backup = await run(['backup', archive, '--data', server.data])
    expect(backup).toMatchObject({ code: 1, stderr: expect.stringContaining('left out  counts.sqlite: ') })
    writeFileSync(file, bytes)
    expect((await run(['verify', '--data', server.data])).code).toBe(0)
  })
})

describe('counts that cannot be written', () => {
  test('are logged once, wait, leave every answer and /readyz as they are, and are written when they can be', async () => {
    const server = await start({ args: unlimited })
    const client = createClient(server.url)
    const { shortendUrl = '' } = await client.link()
    mkdirSync(countsFileIn(server.data))
    await client.get(shortendUrl)
    await server.stderr.waitFor(/error counts cannot be written, they wait in memory cause=/)
    expect((await client.get(shortendUrl)).status).toBe(302)
    expect(await shownVisits(server.url, shortendUrl)).toBe('2 visits')
    expect((await client.get('/readyz')).status).toBe(200)
    expect((await client.get(shortendUrl)).status).toBe(302)
    rmSync(countsFileIn(server.data), { recursive: true })
    await server.stderr.waitFor(/info counts are written again/)
    await server.stop()
    expect(storedCount(server.data, shortendUrl)).toBe(3)
    expect(server.stderr.text().match(/counts cannot be written/g)).toHaveLength(1)
  })
})
