import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import former from '../fixtures/former.json'
import { isGone } from '../support/gone.ts'
import { type RunningServer, run, start, temporaryFolder } from '../support/process.ts'
import { nothingWrong } from '../support/verified.ts'

/** The data folder that `fixtures/make-former.ts` filled with a former version. */
const unpack = () => {
  const data = join(temporaryFolder(), 'data')
  mkdirSync(data, { mode: 0o700 })
  const archive = join(import.meta.dir, '../fixtures/former.tgz')
  const { exitCode, stderr } = Bun.spawnSync(['tar', '-xzf', archive, '-C', data])
  expect(exitCode, String(stderr)).toBe(0)
  return data
}
const args = ['--rate-limit', 'off', '--log', 'off']
const startOn = (data: string) => start({ data, args })
const stampOf = (data: string) => Bun.file(join(data, 'shortcrust.json')).json()
const stamp = { product: 'shortcrust', format: 4 }

const ask = (server: RunningServer, path: string, key = former.keys.laptop, method = 'GET') =>
  fetch(server.url + path, { method, headers: { key, accept: 'application/json' }, redirect: 'manual' })

/** That everything is answered as the former version did; lists first, for what is read then is counted. */
const expectSame = async (server: RunningServer) => {
  for (const { path, key, status, location, text } of [...former.lists, ...former.readings]) {
    const response = await ask(server, path, key)
    const found = (await response.text()).replaceAll(server.url, 'SERVER')
    const what = `${path} ${key}`
    expect([what, response.status, response.headers.get('Location')]).toEqual([what, status, location])
    const isJson = response.headers.get('Content-Type')?.startsWith('application/json')
    // The words of an error may change from version to version.
    if (status >= 400) expect(JSON.parse(found), what).toMatchObject({ success: false })
    else if (isJson) expect(JSON.parse(found), what).toMatchObject(JSON.parse(text))
    else expect(found, what).toBe(text)
  }
}

const fileOfExpired = (data: string) => {
  const id = former.expired.slice('/p/'.length)
  return join(data, 'pastes', id.slice(0, 2), `${id}.json`)
}

const expectTakenOver = async (data: string) => {
  const server = await startOn(data)
  expect(await stampOf(data)).toEqual(stamp)
  await expectSame(server)
  expect((await ask(server, former.expired)).status).toBe(410)
  await isGone(fileOfExpired(data))
  await server.stop()
  expect(readdirSync(data)).not.toContain('owners')
  expect(readdirSync(data)).not.toContain('expiry')
  expect(await run(['verify', '--data', data])).toMatchObject({ code: 0, stdout: nothingWrong })
  expect((await run(['keys', 'list', '--data', data])).stdout).toContain('ci ')
}

describe('a data folder of the former format', () => {
  test('is taken over with everything that is in it', async () => {
    const data = unpack()
    expect(existsSync(fileOfExpired(data))).toBe(true)
    await expectTakenOver(data)
    const server = await startOn(data)
    for (const url of former.deletionUrls.slice(0, 3))
      expect((await ask(server, url, '', 'DELETE')).status).toBe(200)
    // The names of what is gone are still those of its key.
    const named = (key: string, alias: string) =>
      fetch(`${server.url}/paste`, {
        method: 'POST',
        headers: { key, 'content-type': 'application/json' },
        body: JSON.stringify({ text: 'a', title: '', description: '', language: 'text', alias }),
      })
    for (const alias of ['was-here', 'my-notes']) {
      expect((await named(former.keys.ci, alias)).status).toBe(409)
      expect((await named(former.keys.laptop, alias)).status).toBe(201)
    }
    expect((await named(former.keys.gone, 'new')).status).toBe(401)
    await server.stop()
  })

  test('is taken over by the next start, where the first one died when the stamp was written', async () => {
    const data = unpack()
    writeFileSync(join(data, 'shortcrust.json'), JSON.stringify(stamp))
    await expectTakenOver(data)
  })

  test.each([0, 3, 20])('is taken over after kill -9 %d ms after a start that saw it', async (delayMs) => {
    const data = unpack()
    const first = startOn(data).catch(() => {})
    // The lock is taken first, the stamp comes soon after.
    const holder = join(data, 'lock.holder')
    const pidIn = (text: string) => Number(/^process (\d+),/.exec(text)?.[1])
    let pid = Number.NaN
    while (!pid) {
      await Bun.sleep(0)
      if (existsSync(holder)) pid = pidIn(await Bun.file(holder).text())
    }
    await Bun.sleep(delayMs)
    process.kill(pid, 'SIGKILL')
    await first
    const isWhole = ['owners', 'expiry'].every((name) => existsSync(join(data, name)))
    // A former version opens what it knows, and refuses every other format.
    if (!isWhole) expect(await stampOf(data)).toEqual(stamp)
    await expectTakenOver(data)
  })

  test('can be saved and restored before it is taken over', async () => {
    const data = unpack()
    expect((await run(['verify', '--data', data])).code).toBe(0)
    const [archive, restored] = [join(temporaryFolder(), 'backup.tgz'), join(temporaryFolder(), 'restored')]
    expect((await run(['backup', archive, '--data', data])).code).toBe(0)
    expect((await run(['restore', archive, '--data', restored])).code).toBe(0)
    await expectTakenOver(restored)
  })
})
