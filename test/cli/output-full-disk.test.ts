import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, examplePaste } from '../support/client.ts'
import { runToFile } from '../support/pipes.ts'
import { type RunningServer, run, start, target, temporaryFolder, testKey } from '../support/process.ts'
import { fill, mountOver, requireMount } from '../support/small-disk.ts'

const fullLine =
  /^shortcrust: cannot write to standard output: the disk is full \(ENOSPC\); free some space and try again\.\n$/

describe.skipIf(!requireMount())('on a disk that is really full', () => {
  let server: RunningServer
  let disk: string
  let unmount: () => void
  const on = (name: string) => join(disk, name)
  const env = () => ({ SHORTCRUST_SERVER: server.url, SHORTCRUST_KEY: testKey })

  beforeAll(async () => {
    server = await start({ args: ['--rate-limit', 'off', '--log', 'off'] })
    const client = createClient(server.url)
    for (let made = 0; made < 10; made++)
      await client.paste({ ...examplePaste, text: crypto.randomUUID().repeat(3000) })
    disk = temporaryFolder()
    unmount = mountOver(disk, 'size=512k,mode=0700')
    expect((await run(['keys', 'add', 'first', '--create', '--data', on('data')])).code).toBe(0)
  })
  afterAll(async () => {
    unmount()
    await server.stop()
  })

  test('export stops with one line, whether it fills the disk or finds it full', async () => {
    for (const name of ['first.jsonl', 'second.jsonl']) {
      const { code, stderr } = await runToFile([...target, 'export'], on(name), { env: env() })
      expect(stderr).toMatch(fullLine)
      expect(code).toBe(1)
    }
    expect(statSync(on('first.jsonl')).size).toBeGreaterThan(0)
    expect(statSync(on('second.jsonl')).size).toBe(0)
  })

  test('export and backup to a file name it, and leave nothing behind', async () => {
    fill(disk)
    const exported = await run(['export', on('export.jsonl')], env())
    const says = (name: string) => `shortcrust: cannot write ${on(name)}: the disk is full (ENOSPC).`
    expect(exported).toEqual({ code: 1, stdout: '', stderr: `${says('export.jsonl')}\n` })
    const saved = await run(['backup', on('backup.tgz'), '--data', server.data])
    const stderr = `${says('backup.tgz').slice(0, -1)}; free some space and try again.\n`
    expect(saved).toEqual({ code: 1, stdout: '', stderr })
    expect(readdirSync(disk).filter((name) => /^(export|backup)/.test(name))).toEqual([])
  })
})
