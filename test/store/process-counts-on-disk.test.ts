import { describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../support/client.ts'
import { countsFileIn, pathOf, shownVisits, storedCount, waitForStoredCount } from '../support/counts.ts'
import { run, start, temporaryFolder } from '../support/process.ts'
import { nothingWrong, problemsIn } from '../support/verified.ts'

const unlimited = ['--rate-limit', 'off']

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
