import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { lookAtPorts } from '../../src/cli/doctor/network.ts'
import { settings } from '../../src/settings/config.ts'
import { configOf } from '../support/config.ts'
import { keyFileOf } from '../support/key-file.ts'
import { freePort } from '../support/ports.ts'
import { run, start, temporaryFolder } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const look = (...args: string[]) => run(['doctor', '--host', '127.0.0.1', ...args])
const unused = () => ['--port', `${freePort()}`] as const
const keys = (data: string, ...args: string[]) => run(['keys', ...args, '--data', data])
const guests = ['--guest-from', '127.0.0.0/8', '--guest-key', 'guests'] as const

describe('doctor of a server on all addresses', () => {
  const { server } = withServer()
  const everywhere = (port: string, own: string) =>
    lookAtPorts(configOf({ flags: { host: '0.0.0.0', port } }), own)

  test('names only the addresses at which it answers', async () => {
    const { port } = new URL(server.url)
    const all = await start({ args: ['--log', 'off', '--host', '0.0.0.0'] })
    const { port: ofAll } = new URL(all.url)
    const near = await everywhere(port, '127.0.0.2')
    const far = await everywhere(ofAll, '127.0.0.2')
    await all.stop()
    expect(far.isServing).toBe(true)
    expect(far.findings).toMatchObject([
      { state: 'good', says: expect.stringMatching(/: http:\/\/127\.0\.0\.2:\d+$/) },
    ])
    expect(near.isServing).toBe(true)
    expect(near.findings).toMatchObject([
      { state: 'doubtful', says: `a Shortcrust server answers at ${port}, but only this machine reaches it` },
    ])
  })

  test('finds one that listens at another address alone', async () => {
    const { port } = new URL(server.url)
    const { isServing, findings } = await everywhere(port, '127.0.0.1')
    expect(isServing).toBe(true)
    expect(findings).toMatchObject([
      { says: expect.stringMatching(/0\.0\.0\.0: http:\/\/127\.0\.0\.1:\d+$/) },
    ])
  })
})

describe('doctor with the settings of a server', () => {
  test('takes every flag of the server', async () => {
    const { stdout: help } = await run(['doctor', '--help'])
    for (const { flag } of Object.values(settings))
      if (flag !== undefined) expect(help).toContain(`--${flag} `)
  })

  test('finds the key of guests, where it is missing or has expired', async () => {
    const folder = temporaryFolder()
    const lookHere = (...more: string[]) => look(...unused(), '--data', folder, ...guests, ...more)
    const missing = await lookHere()
    expect(missing.code).toBe(1)
    expect(missing.stdout).toMatch(/^bad {3}guest key: there is no key guests, so guests are refused$/m)
    expect(missing.stdout).toContain(`→ type: shortcrust keys add guests --create --data ${folder}\n`)

    await keys(folder, 'add', 'guests', '--create')
    keyFileOf(folder).change((key) => ({ ...key, expiresAt: Date.now() - 1000 }))
    const expired = await lookHere()
    expect(expired.stdout).toMatch(/^bad {3}guest key: guests has expired, so guests are refused$/m)
    expect(expired.stdout).toContain(`→ type: shortcrust keys set guests --expires none --data ${folder}\n`)

    await keys(folder, 'set', 'guests', '--expires', 'none')
    const there = await lookHere()
    expect(there).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('good  guest key: guests count as'),
    })
  })

  test('finds a port of the metrics or of netcat that is used, by another setting too', async () => {
    const other = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } })
    const port = `${freePort()}`
    const args = ['--port', port, '--metrics', `127.0.0.1:${other.port}`, '--netcat', `127.0.0.1:${port}`]
    const { code, stdout } = await look(...args, ...guests, '--data', join(temporaryFolder(), 'data'))
    other.stop(true)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^bad {3}metrics: \d+ on 127\.0\.0\.1 is used already\n {6}→ .*--metrics$/m)
    expect(stdout).toMatch(/^bad {3}netcat: \d+ on 127\.0\.0\.1 is used already\n {6}→ .*--netcat$/m)
  })

  test('sees whether the running server has them', async () => {
    const data = temporaryFolder()
    await keys(data, 'add', 'guests', '--create')
    const netcat = ['--netcat', `127.0.0.1:${freePort()}`]
    const server = await start({ data, args: ['--log', 'off', ...guests, ...netcat] })
    const metrics = ['--metrics', `127.0.0.1:${freePort()}`]
    const { port } = new URL(server.url)
    const { stdout } = await look('--port', port, '--data', data, ...guests, ...netcat, ...metrics)
    await server.stop()
    expect(stdout).toMatch(/^good {2}netcat: something listens at \d+ on 127\.0\.0\.1/m)
    expect(stdout).toMatch(/^look {2}metrics: nothing listens at \d+ on 127\.0\.0\.1, though a server runs$/m)
  })
})
