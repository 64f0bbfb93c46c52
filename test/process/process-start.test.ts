import { describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownHost } from '../../src/cli/server/open-address.ts'
import { listenProblem } from '../../src/http/listen.ts'
import { type RunResult, run, start, temporaryFolder } from '../support/process.ts'
import { isRoot, requireProgram } from '../support/programs.ts'

const anyPort = ['--host', '127.0.0.1', '--port', '0']

/** A start that fails: exit code 1, nothing on standard output, one line on standard error. */
const expectRefusal = ({ code, stdout, stderr }: RunResult, ...says: (string | RegExp)[]) => {
  expect(stderr).toMatch(/^shortcrust: [^\n]+\n$/)
  for (const part of says) expect(stderr).toMatch(part)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
}

describe('a start', () => {
  test('says the port it took, and answers there', async () => {
    const server = await start({ args: ['--port', '0'] })
    expect(server.stdout.text()).toMatch(/^listening on http:\/\/127\.0\.0\.1:[1-9]\d*\n$/)
    expect((await fetch(server.url)).status).toBe(200)
    expect(await server.stop()).toBe(0)
  })

  test('on every address names the one to open first, and this machine last', async () => {
    const server = await start({ args: ['--host', '0.0.0.0'] })
    await server.stop()
    const [first, ...others] = server.stdout.text().trimEnd().split('\n')
    const [, port] = /^listening on http:\/\/0\.0\.0\.0:([1-9]\d*)$/.exec(first ?? '') ?? []
    expect(port).toBeDefined()
    expect(others.length).toBeLessThan(3)
    // The tests may run in a container.
    if (others[0]?.startsWith('  in a container: ')) return
    const host = ownHost((path) => readFileSync(path, 'utf8'), '0.0.0.0') ?? 'localhost'
    expect(others[0]).toStartWith(`  open http://${host}:${port}`)
    expect(others.at(-1)).toEndWith(` http://localhost:${port}, on this machine`)
  })
})

describe('a start is refused in one line', () => {
  test('while another server has the folder, naming it', async () => {
    const server = await start()
    const second = await run([...anyPort, '--data', server.data])
    expectRefusal(second, server.data, `in use by process ${server.pid}, started 20`)
    expect((await fetch(server.url)).status).toBe(200)
    await server.stop()
    expect(await (await start({ data: server.data })).stop()).toBe(0)
  })

  test('while another server has the port', async () => {
    const server = await start()
    const { port } = new URL(server.url)
    const data = join(temporaryFolder(), 'data')
    const second = await run(['--host', '127.0.0.1', '--port', port, '--data', data])
    expectRefusal(second, `port ${port} on 127.0.0.1 is in use`, '--port')
    await server.stop()
  })

  test('on an address that is not here', async () => {
    const data = join(temporaryFolder(), 'data')
    expectRefusal(
      await run(['--host', '192.0.2.1', '--port', '0', '--data', data]),
      'this machine does not have the address 192.0.2.1; choose one of its own with --host',
    )
  })

  test.each([
    ['--metrics', 'cannot serve metrics'],
    ['--netcat', 'cannot listen for netcat'],
  ])('on an address for %s that is not here', async (flag, cannot) => {
    const guests = ['--guest-from', '127.0.0.1', '--guest-key', 'guests']
    const data = join(temporaryFolder(), 'data')
    expectRefusal(
      await run(['--port', '0', '--data', data, ...guests, flag, '192.0.2.1:7104']),
      `${cannot}: this machine does not have the address 192.0.2.1; choose one of its own with ${flag}.\n`,
    )
  })

  test.each([
    ['nosuch.invalid', { code: 'ENOENT' }, 'nosuch.invalid does not lead to an address of this machine; '],
    ['nosuch.invalid', {}, 'nosuch.invalid does not lead to an address of this machine; '],
    ['nas', { code: 'EADDRINUSE' }, 'port 80 on nas is in use; choose another with --port'],
    ['::1', { code: 'EACCES' }, 'port 80 needs more rights; choose one above 1023 with --port'],
    ['::1', { code: 'EMFILE' }, 'cannot listen on ::1 port 80: as the system says'],
  ])('on %s, because of %j', (host, error, says) => {
    const change = { host: '--host', port: '--port' }
    const problem = listenProblem({ ...error, message: 'as the system says' }, { host, port: 80 }, change)
    expect(problem).toStartWith(says)
  })

  test.each([
    [{ product: 'shortcrust', format: 2 }, 'has format 2, and this version reads 1'],
    [{ product: 'something else', format: 1 }, 'shortcrust.json is not a format stamp'],
    ['cut sho', 'shortcrust.json'],
  ])('by a folder with the stamp %j, which stays as it is', async (stamp, says) => {
    const data = temporaryFolder()
    const file = join(data, 'shortcrust.json')
    const text = typeof stamp === 'string' ? stamp : JSON.stringify(stamp)
    writeFileSync(file, text)
    expectRefusal(await run([...anyPort, '--data', data]), data, says)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  test('by a regular file in the way, which it names', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, 'mine')
    for (const data of [file, join(file, 'data'), join(file, 'deep/data')])
      expectRefusal(
        await run([...anyPort, '--data', data]),
        `${data} cannot be the data folder`,
        `${file} is a file, not a folder; choose another with --data.\n`,
      )
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  test.skipIf(process.platform !== 'linux')('by a place that can hold no folder, at once', async () => {
    expectRefusal(
      await run([...anyPort, '--data', '/proc/shortcrust/data']),
      '/proc/shortcrust/data',
      '(ENOENT)',
    )
  })
})

describe.skipIf(isRoot && !requireProgram('setpriv', 'util-linux'))('without the right to write', () => {
  // Modes mean nothing to root, so the program then runs as somebody else.
  const uid = isRoot ? 65_534 : process.getuid?.()
  const prefix = isRoot ? ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'] : []

  const readOnly = (name: string) => {
    const parent = temporaryFolder()
    const folder = join(parent, name)
    mkdirSync(folder)
    for (const path of [parent, folder]) chmodSync(path, 0o555)
    return folder
  }

  test.each([
    ['an existing folder', '', 'sudo chown -R UID PATH'],
    ['a new folder', '/deep/data', 'sudo install -d -o UID PATH'],
  ])(
    'to %s, a start and keys add --create say who may not, where, and what to type',
    async (_, below, remedy) => {
      const data = readOnly('folder') + below
      const typed = remedy.replace('UID', String(uid)).replace('PATH', data)
      for (const command of [anyPort, ['keys', 'add', 'laptop', '--create']]) {
        const result = await run([...command, '--data', data], {}, prefix)
        expectRefusal(
          result,
          `cannot write the data folder ${data} as uid ${uid} (EACCES)`,
          `type: ${typed}\n`,
        )
      }
    },
  )

  test.skipIf(!isRoot)('to a file that another user left, a start says so too', async () => {
    const data = temporaryFolder()
    chmodSync(data, 0o777)
    writeFileSync(join(data, 'lock'), '')
    const result = await run([...anyPort, '--data', data], {}, prefix)
    const remedy = `it belongs to uid 0: start as that user, choose another with --data, or type: sudo chown -R ${uid} ${data}\n`
    expectRefusal(result, `as uid ${uid} (EPERM)`, remedy)
  })
})
