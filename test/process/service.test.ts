import { describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../support/client.ts'
import { openHighlighted } from '../support/pages.ts'
import { repository, run, start, target, temporaryFolder } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'
import { hasStrace } from '../support/strace.ts'

const hasAnalyze = requireProgram('systemd-analyze', 'systemd')
const unit = readFileSync(join(repository, 'deploy/shortcrust.service'), 'utf8')

/** The values that a directive of the unit has, one for each line. */
const valuesOf = (directive: string) =>
  [...unit.matchAll(new RegExp(`^${directive}=(.*)$`, 'gm'))].map(([, value = '']) => value)

const analyze = (...args: string[]) => {
  const { stdout, stderr, exitCode } = Bun.spawnSync(['systemd-analyze', '--no-pager', ...args])
  return { code: exitCode, output: stdout.toString() + stderr.toString() }
}

/** The unit in a folder of its own, with a program that this machine has. */
const installed = () => {
  const file = join(temporaryFolder(), 'shortcrust.service')
  writeFileSync(file, unit.replaceAll('/usr/local/bin/shortcrust', target[0] ?? ''))
  return file
}

/** The system calls of a group such as `@system-service`, and of the groups in it; what is no group is a call. */
const callsOf = (group: string): string[] => {
  if (!group.startsWith('@')) return [group]
  const lines = analyze('syscall-filter', group).output.split('\n')
  const names = lines.filter((line) => /^ {4}[@a-z]/.test(line)).map((line) => line.trim())
  return names.flatMap(callsOf)
}

const allowedCalls = () => {
  const allowed = new Set<string>()
  for (const value of valuesOf('SystemCallFilter'))
    for (const name of value.replace('~', '').split(' ').flatMap(callsOf))
      if (value.startsWith('~')) allowed.delete(name)
      else allowed.add(name)
  return [...allowed]
}

describe('the unit for systemd', () => {
  test.skipIf(!hasAnalyze)('is one that systemd takes without a remark', () => {
    expect(analyze('verify', installed())).toEqual({ code: 0, output: '' })
  })

  test.skipIf(!hasAnalyze)('is hardened: its exposure is 1.2 of 10 at most', () => {
    const { code, output } = analyze('security', '--offline=yes', '--threshold=12', installed())
    expect(output).toMatch(/Overall exposure level for shortcrust\.service: [01]\.\d OK/)
    expect(code).toBe(0)
  })

  test('leaves the JIT compiler its memory', () => {
    expect(valuesOf('MemoryDenyWriteExecute')).toEqual([])
  })

  test('sets what there is to set, and names the exit code of a wrong setting', async () => {
    const { stdout } = await run(['serve', '--help'])
    const variables = valuesOf('Environment').map((value) => value.split('=')[0] ?? '')
    expect(variables.length).toBeGreaterThan(0)
    for (const variable of variables) expect(stdout).toContain(variable)
    const { code } = await run(['--port', 'none'])
    expect(valuesOf('RestartPreventExitStatus')).toEqual([String(code)])
  })

  // Every other system call fails, as it would under the filter; the trace lists those that did.
  test.skipIf(!hasAnalyze || !hasStrace)(
    'lets the server do its work: start, store, highlight, delete, stop',
    async () => {
      const calls = allowedCalls()
      expect(calls.length).toBeGreaterThan(200)
      const others = `!${calls.map((name) => `?${name}`).join(',')}`
      const trace = join(temporaryFolder(), 'trace')
      const filter = ['-e', `trace=${others}`, '-e', `inject=${others}:error=EPERM`]
      const prefix = ['strace', '-D', '-f', '-qq', '-e', 'signal=none', ...filter, '-o', trace]
      const server = await start({ prefix, args: ['--rate-limit', 'off'] })
      const client = createClient(server.url)
      const { deletionUrl = '' } = await openHighlighted(server)
      await client.link()
      expect((await client.get(deletionUrl, {}, { method: 'DELETE' })).status).toBe(200)
      expect(await server.stop()).toBe(0)
      // A thread that ended while strace let go of it leaves a line without a call.
      const whole = readFileSync(trace, 'utf8').replaceAll(
        /^\d+ +\?\?\?\( <(?:detached|unfinished) \.\.\.>\n/gm,
        '',
      )
      // SQLite asks only as root, which the unit is not, and does without: its log is to belong to whose the file is.
      const refused = whole.replaceAll(/^\d+ +fchown\(\d+, 0, 0\) .*\n/gm, '')
      expect(refused).toBe('')
    },
  )

  test.skipIf(!hasStrace)('allows the families of addresses that the server uses', async () => {
    const trace = join(temporaryFolder(), 'trace')
    const server = await start({ prefix: ['strace', '-D', '-f', '-qq', '-e', 'trace=socket', '-o', trace] })
    await createClient(server.url).paste()
    await server.stop()
    const used = [...readFileSync(trace, 'utf8').matchAll(/socket\((AF_\w+)/g)].map(
      ([, family = '']) => family,
    )
    expect(used).toContain('AF_INET')
    const allowed = valuesOf('RestrictAddressFamilies').join(' ').split(' ')
    expect(used.filter((family) => !allowed.includes(family))).toEqual([])
  })
})
