import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOptions } from '../../scripts/bench/main.ts'
import { type Entrant, peers } from '../../scripts/bench/peer-loads.ts'
import {
  type MeasuredPeer,
  type PeerReport,
  peerSectionOf,
  peerTable,
} from '../../scripts/bench/peer-report.ts'
import { playPeers, readPeers } from '../../scripts/bench/peers.ts'
import { withSection } from '../../scripts/measure/report.ts'
import { repository, temporaryFolder } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'

const measured = (...values: number[]) => ({ values, errors: 0, faults: [] as string[] })

const ours: MeasuredPeer = {
  ...{ name: 'shortcrust', version: '1.0.0', isDurable: true },
  figures: { redirect: measured(60_000, 50_000, 70_000), start: measured(54.21), size: measured(134) },
}
const other: MeasuredPeer = {
  ...{ name: 'other', version: '2', isDurable: false },
  figures: { redirect: measured(40_000), raw: measured(5), start: measured(9.5), size: measured(12.7) },
}
const rowsOf = (...servers: MeasuredPeer[]) => peerTable(servers).split('\n')

describe('the table of the peers', () => {
  test('has the medians of each server in a column, and – for what one does not have', () => {
    const rows = rowsOf(ours, other)
    expect(rows[0]).toBe('|  | shortcrust | other |')
    expect(rows).toContain('| raw, req/s | – | **5.0** |')
    expect(rows).toContain('| synced first | yes | no |')
    expect(rows).toContain('| version | 1.0.0 | 2 |')
  })

  test('shows where ours is worse in the same type as where it is better', () => {
    const rows = rowsOf(ours, other)
    expect(rows).toContain('| redirect, req/s | **60,000** | 40,000 |')
    expect(rows).toContain('| start, ms | 54.2 | **9.5** |')
    expect(rows).toContain('| size, MB | 134.0 | **12.7** |')
  })

  test('names a server that stopped, says after what, and counts its errors', () => {
    const faults = ['stopped answering after 128 answers (ECONNRESET)', 'stopped answering after 99 answers']
    const redirect = { values: [90_000], errors: 8655, faults }
    const rows = rowsOf(ours, { ...other, figures: { ...other.figures, redirect } })
    expect(rows).toContain('| redirect, req/s | **60,000** | stopped* |')
    expect(rows.at(-1)).toBe(
      '- \\* other, `redirect`: 2 × stopped answering after 128 answers (ECONNRESET); 8,655 errors.',
    )
  })

  test('shows what a server answered before it stopped at the end of a load without errors', () => {
    const raw = { values: [90], errors: 0, faults: ['stopped answering after 90 answers'] }
    const rows = rowsOf(ours, { ...other, figures: { raw } })
    expect(rows).toContain('| raw, req/s | – | 90.0* |')
    expect(rows.at(-1)).toContain('other, `raw`: 1 × stopped answering after 90 answers.')
  })

  test('never calls the best what met an error', () => {
    const redirect = { values: [90_000], errors: 3, faults: [] }
    const rows = rowsOf(ours, { ...other, figures: { redirect } })
    expect(rows).toContain('| redirect, req/s | **60,000** | 90,000* |')
    expect(rows.at(-1)).toBe('- \\* other, `redirect`: 3 errors.')
  })

  test('says why a server was not measured', () => {
    const start = { values: [], errors: 0, faults: ['did not start: it ended with 1'] }
    const rows = rowsOf(ours, { ...other, figures: { start } })
    expect(rows).toContain('| start, ms | **54.2** | failed* |')
    expect(rows.at(-1)).toContain('other, `start`: 1 × did not start: it ended with 1.')
  })

  test('of docs/peers.md is what the report makes of docs/peers.json', async () => {
    const read = (path: string) => Bun.file(join(repository, path)).text()
    const report: PeerReport = JSON.parse(await read('docs/peers.json'))
    expect(withSection('docs/peers.md', 'peers', peerSectionOf(report))).toBe(await read('docs/peers.md'))
  })
})

describe('the file of the peers', () => {
  const written = (text: string) => {
    const file = join(temporaryFolder(), 'peers.json')
    writeFileSync(file, text)
    return file
  }
  const fileOf = (named: object) => written(JSON.stringify(named))

  test('names programs; ours is always the first', () => {
    const read = readPeers(fileOf({ golink: { path: process.execPath, version: '1' } }))
    expect(read.map(({ name, version }) => [name, version])).toEqual([
      ['shortcrust', expect.any(String)],
      ['golink', '1'],
    ])
  })

  test('is refused with a clear error', () => {
    expect(() => readPeers(fileOf({ pastbin: { path: '/' } }))).toThrow(
      'there is no peer "pastbin"; there are wastebin, chhoto-url, golink',
    )
    expect(() => readPeers(fileOf({ golink: {} }))).toThrow('"golink" has no "path"')
    expect(() => readPeers(fileOf({ golink: { path: '/not/there' } }))).toThrow(
      'the path of "golink" does not exist: /not/there',
    )
    expect(() => readPeers(written('{'))).toThrow('JSON')
    expect(() => readPeers('/not/there.json')).toThrow('/not/there.json')
  })

  test('gives the servers of a run, of which --only takes some', () => {
    const file = fileOf({ golink: { path: process.execPath } })
    const read = (...args: string[]) => readOptions(['--peers', file, ...args])
    expect(read().entrants?.map(({ name }) => name)).toEqual(['shortcrust', 'golink'])
    expect(read('--only', 'golink').entrants?.map(({ name }) => name)).toEqual(['golink'])
    expect([read().seconds, read().rounds]).toEqual([2, 5])
    expect(() => read('--only', 'raw')).toThrow('there is no server "raw"; there are shortcrust, golink')
  })
})

test('what is read from each known server is created in it', () => {
  for (const [name, { reads, creations, pageMark }] of Object.entries(peers)) {
    const kinds = Object.keys(reads).map((read) => (read === 'redirect' ? 'link' : 'paste'))
    expect(Object.keys(creations).toSorted(), name).toEqual([...new Set(kinds)].toSorted())
    expect(pageMark === undefined, name).toBe(reads.page === undefined)
  }
})

/** A server of one link that ends with its so many-th answer. */
const linkServer = (name: string, mostAnswers: number): Entrant => {
  const script = `let left = ${mostAnswers}
Bun.serve({ hostname: '127.0.0.1', port: Number(process.argv[1]), fetch() {
  if (left-- === 0) process.exit(1)
  return new Response('/id', { status: 302, headers: { location: 'https://example.org/a/page/of/some/length?number=1' } })
} })`
  const creation = { path: '/new', id: '/(id)' }
  const peer = {
    ...{ command: [process.execPath, '-e', script, '{port}'], front: '/ready', isDurable: false },
    ...{ creations: { link: creation }, reads: { redirect: '/{id}' } },
  }
  return { name, version: '1', isDurable: false, path: process.execPath, peer, figures: {} }
}

test.skipIf(!requireProgram('wrk', 'wrk'))(
  'a server that ends does not end the others',
  async () => {
    const [steady, ending] = [linkServer('steady', Infinity), linkServer('ending', 300)]
    await playPeers([ending, steady], { seconds: 1, rounds: 1, isSmoke: true })
    for (const name of ['start', 'memory-idle', 'memory-used', 'redirect', 'create-link', 'size'])
      expect(steady.figures[name]?.values[0], name).toBeGreaterThan(0)
    expect(Object.values(steady.figures).flatMap((figure) => figure?.faults)).toEqual([])
    expect(ending.figures.redirect?.faults[0]).toMatch(/^stopped answering after \d+ answers/)
    expect(ending.figures.redirect?.errors).toBeGreaterThan(0)
    expect(peerTable([steady, ending])).toContain('- \\* ending, `redirect`: 1 × stopped answering after ')
  },
  60_000,
)
