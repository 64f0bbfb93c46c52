import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { bootId, readIndexCopy } from '../../src/store/derived/item-index.ts'
import { keep, repository, temporaryFolder } from '../support/process.ts'

/** Another process that writes pairs of rows as fast as it can, each pair in one transaction. */
const startWriter = async (folder: string) => {
  const script = `
    const { openIndexFile } = await import(${JSON.stringify(join(repository, 'src/store/derived/item-index.ts'))})
    const rows = openIndexFile(${JSON.stringify(join(folder, 'index.sqlite'))}, ${JSON.stringify(bootId())})
    const row = (kind, at) => ({ kind, owner: 'o'.repeat(500) + at % 97, createdAt: at, id: 'id' + at * 7919 % 9973,
      version: 1, bytes: 1, kept: 0, keptBytes: 0, head: '{}' })
    rows.setWhole()
    for (let at = 0; ; at++) {
      rows.addAll([row('pastes', at), row('links', at)])
      if (at === 2000) console.log('ready')
    }`
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' })
  const stop = keep(child)
  const reader = child.stdout.getReader()
  await reader.read()
  return stop
}

test('a copy beside a process that writes is of one moment, or there is none', async () => {
  const folder = temporaryFolder()
  const stop = await startWriter(folder)
  const found: (readonly [pastes: number, links: number, check: string] | undefined)[] = []
  for (let time = 0; time < 10; time++)
    found.push(
      await readIndexCopy(folder, bootId(), (database) => {
        const count = (kind: string) =>
          database.query<{ n: number }, [string]>('SELECT count(*) n FROM items WHERE kind = ?').get(kind)
            ?.n ?? 0
        return [
          count('pastes'),
          count('links'),
          String(database.query('PRAGMA quick_check(1)').values()),
        ] as const
      }),
    )
  await stop()
  const copies = found.filter((one) => one !== undefined)
  expect(copies.length).toBeGreaterThan(0)
  for (const [pastes, links, check] of copies) expect([links, check]).toEqual([pastes, 'ok'])
})
