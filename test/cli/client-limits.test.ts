import { describe, expect, test } from 'bun:test'
import { run, testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const { server } = withServer()

const command = (args: readonly string[], stdin = 'a text') =>
  run(args, { SHORTCRUST_SERVER: server.url, SHORTCRUST_KEY: testKey }, [], { stdin })
const statuses = async (address: string, method: string, times: number) => {
  const found: number[] = []
  for (let at = 0; at < times; at++) found.push((await fetch(address, { method, redirect: 'manual' })).status)
  return found
}

describe('the command line', () => {
  test('limits the reads of a paste', async () => {
    const { code, stdout, stderr } = await command(['paste', '--max-reads', '2'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const raw = stdout.trim().replace('/p/', '/p/raw/')
    expect(await statuses(raw, 'GET', 1)).toEqual([403])
    expect(await statuses(raw, 'POST', 3)).toEqual([200, 200, 410])
  })

  test('limits the visits of a link, and prints the limit with --json', async () => {
    const { stdout } = await command(['shorten', 'https://example.org/', '--max-visits', '1', '--json'])
    const { shortendUrl, maxVisits } = JSON.parse(stdout)
    expect(maxVisits).toBe(1)
    expect(await statuses(shortendUrl, 'POST', 2)).toEqual([303, 410])
  })

  test.each(['', 'once', '1.5', '-1', '1e3'])(
    'refuses %j as a limit before anything is sent: exit code 2',
    async (limit) => {
      for (const args of [
        ['paste', `--max-reads=${limit}`],
        ['shorten', 'https://example.org/', `--max-visits=${limit}`],
      ]) {
        const { code, stdout, stderr } = await command(args)
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
        expect(stderr).toMatch(
          /^shortcrust: --max-(reads|visits): expected a whole number, at least 1, not ".*"\.\n$/,
        )
      }
    },
  )

  test.each(['0', '1000001'])('passes on what the server says to %s: exit code 1', async (limit) => {
    const { code, stderr } = await command(['paste', '--max-reads', limit])
    expect(code).toBe(1)
    expect(stderr).toMatch(/Field "maxReads" must be at (least 1|most 1000000)/)
  })

  test('takes each limit only where it belongs: exit code 2', async () => {
    for (const args of [
      ['paste', '--max-visits', '1'],
      ['shorten', 'https://example.org/', '--max-reads', '1'],
    ])
      expect((await command(args)).code).toBe(2)
  })
})
