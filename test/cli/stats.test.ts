import { describe, expect, test } from 'bun:test'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { statsLines } from '../../src/cli/stats.ts'
import type { Figures } from '../../src/items/schema.ts'
import { createFigures } from '../../src/services/stats.ts'
import { createClient } from '../support/client.ts'
import { run, start, temporaryFolder, testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const { server, client } = withServer()

const ofFolder = async (data = server.data, ...words: string[]) =>
  JSON.parse((await run(['stats', '--json', '--data', data, ...words])).stdout) as Figures
const withoutTime = ({ at: _, disk: __, ...figures }: Figures) => figures
const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith('shortcrust-index-'))

describe('shortcrust stats', () => {
  test('says the same of a server, of its folder beside it, of its folder alone, and of its documents', async () => {
    await client.paste({ text: 'ä'.repeat(300), expiresIn: '1h' })
    await client.link()
    const { stdout } = await run(['keys', 'add', 'boss', '--admin', '--data', server.data])
    const env = { SHORTCRUST_SERVER: server.url, SHORTCRUST_KEY: stdout.trim() }
    const answer = await run(['stats', '--json'], env)
    expect([answer.code, answer.stderr]).toEqual([0, ''])
    const asked = withoutTime(JSON.parse(answer.stdout))
    expect(asked.keys).toContainEqual({ owner: 'environment', kind: 'paste', items: 1, bytes: 600 })
    const before = copies()
    expect(withoutTime(await ofFolder())).toEqual(asked)
    expect(copies()).toEqual(before)
    await server.stop()
    expect(withoutTime(await ofFolder())).toEqual(asked)
    for (const spoil of [
      () => writeFileSync(join(server.data, 'index.sqlite'), 'no index'),
      () => rmSync(join(server.data, 'index.sqlite')),
    ]) {
      spoil()
      const read = withoutTime(await ofFolder())
      const sorted = ({ largest, expiring, ...figures }: typeof read) => ({ ...figures, index: 'whole' })
      expect(read.index).toBe('none')
      expect(sorted(read)).toEqual(sorted(asked))
    }
  })

  test('needs an admin key (3), a server or a folder (2), and a folder that is one (1)', async () => {
    const other = await run(['keys', 'add', 'plain', '--data', server.data])
    const again = await start({ data: server.data })
    const refused = await run(['stats', '--server', again.url, '--key', other.stdout.trim()])
    expect([refused.code, refused.stdout]).toEqual([3, ''])
    expect(refused.stderr).toStartWith('shortcrust: Only an admin key may read the figures of this server')
    await again.stop()
    const nowhere = await run(['stats'], { XDG_CONFIG_HOME: temporaryFolder() })
    expect(nowhere.code).toBe(2)
    expect(nowhere.stderr).toContain('; or read a data folder with --data')
    const missing = join(temporaryFolder(), 'missing')
    expect(await run(['stats', '--data', missing])).toEqual({
      code: 1,
      stdout: '',
      stderr: `shortcrust: there is no data folder at ${missing}; name it with --data or SHORTCRUST_DATA.\n`,
    })
  })
})

describe('beside a server that writes', () => {
  const { server: busy, client: writer } = withServer()

  test('each copy is of one moment: items, bytes and days agree', async () => {
    // A list waits until the index is there.
    await writer.get('/links', { key: testKey })
    let isOver = false
    const writing = Array.from({ length: 8 }, async () => {
      while (!isOver) await writer.link('https://example.org/12345678')
    })
    for (let time = 0; time < 8; time++) {
      const { totals, keys, days, index } = await ofFolder(busy.data)
      const links = totals[1]?.items ?? 0
      expect(index).toBe('whole')
      expect(totals[1]?.bytes).toBe(28 * links)
      expect(keys.reduce((sum, { items }) => sum + items, 0)).toBe(links)
      expect(days.reduce((sum, one) => sum + one.links, 0)).toBe(links)
    }
    isOver = true
    await Promise.all(writing)
  })

  test('keys list says items and bytes', async () => {
    const { stdout } = await run(['keys', 'add', 'ann', '--data', busy.data])
    const ann = createClient(busy.url, stdout.trim())
    await ann.paste({ text: 'x'.repeat(2048) })
    await ann.link('https://example.org/')
    const listed = await run(['keys', 'list', '--data', busy.data])
    expect(listed.stdout).toMatch(/^ann .* {2}2 items {2}2 KiB$/m)
  })
})

describe('the tables', () => {
  const now = Date.UTC(2026, 10, 23)
  const figuresOf = () => {
    const figures = createFigures(now)
    const common = { version: 1, kept: 0, keptBytes: 0, createdAt: now }
    for (let at = 0; at < 12; at++)
      figures.add({ ...common, kind: 'pastes', owner: 'ann\x1b[31m', id: `id${at}`, bytes: 1024 * at })
    figures.add({ ...common, kind: 'links', owner: 'bob', id: 'idl', bytes: 20, createdAt: now - 86_400_000 })
    return { ...figures.result(), index: 'whole' } as Figures
  }

  test('align figures to the right', () => {
    const lines = statsLines(figuresOf(), now)
    expect(lines.slice(0, 3)).toEqual([
      'kind   items      size',
      'paste     12    66 KiB',
      'link       1  20 bytes',
    ])
    expect(lines).toContain('2026-11-23      12      0')
    expect(lines.join('\n')).not.toContain('█')
  })

  test('say where the keys are cut', () => {
    const figures = createFigures(now)
    const common = { version: 1, kept: 0, keptBytes: 0, createdAt: now, kind: 'pastes' }
    const headOf = () =>
      statsLines({ ...figures.result(), index: 'whole' } as Figures, now).find((line) =>
        line.startsWith('by key'),
      )
    for (let at = 0; at < 201; at++) {
      if (at === 199) expect(headOf()).toBe('by key')
      figures.add({ ...common, owner: `user ${at}`, id: `id${at}`, bytes: 1 })
    }
    expect(headOf()).toBe('by key, the 200 largest')
  })

  test('draw bars where the terminal has room for them, and stay within it', () => {
    for (const columns of [37, 60, 80, 200]) {
      const bars = statsLines(figuresOf(), now, columns).filter((line) => line.includes('█'))
      expect(bars.map((line) => line.length)).toEqual(
        columns === 37 ? [28, 37] : [expect.any(Number), Math.min(columns, 77)],
      )
    }
    expect(statsLines(figuresOf(), now, 36).some((line) => line.includes('█'))).toBe(false)
  })
})
