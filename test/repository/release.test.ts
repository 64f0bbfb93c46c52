import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packTarGz, packZip } from '../../scripts/release/archive.ts'
import { keyOf, parseLockFile, resolve, shippedKeys } from '../../scripts/release/lock-file.ts'
import { commitDate } from '../../scripts/release/make.ts'
import { documents, targets } from '../../scripts/release/targets.ts'
import { repository, temporaryFolder } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const mtime = new Date('2024-02-29T12:30:00Z')
const files = [
  { name: 'a-1.0/a', mode: 0o755, bytes: bytesOf('#!/bin/sh\necho run\n') },
  { name: 'a-1.0/LICENSE', mode: 0o644, bytes: bytesOf('MIT\n') },
]
const hasUnzip = requireProgram('unzip', 'unzip')
const hasGit = requireProgram('git', 'git')
const archives = [
  { kind: 'tar.gz', pack: packTarGz, unpack: ['tar', '-xzf'] },
  {
    kind: 'zip',
    pack: async (...parts: Parameters<typeof packZip>) => packZip(...parts),
    unpack: ['unzip', '-q'],
  },
]

/** Runs a command in a folder, in a time zone of its own. */
const runIn = (cwd: string, command: readonly string[], zone = 'UTC') => {
  const { stdout, stderr, exitCode } = Bun.spawnSync([...command], { cwd, env: { ...process.env, TZ: zone } })
  if (exitCode !== 0) throw new Error(String(stderr))
  return String(stdout)
}

describe.each(archives)('a $kind of a release', ({ kind, pack, unpack }) => {
  test.skipIf(kind === 'zip' && !hasUnzip)(
    'is unpacked to the same files, with the executable bit and the time of the commit',
    async () => {
      const folder = temporaryFolder()
      await Bun.write(join(folder, 'archive'), await pack(files, mtime))
      runIn(folder, [...unpack, 'archive'])
      for (const { name, mode, bytes } of files) {
        const path = join(folder, name)
        expect(new Uint8Array(readFileSync(path))).toEqual(bytes)
        expect(statSync(path).mode & 0o777).toBe(mode)
        expect(statSync(path).mtime.toISOString()).toStartWith(
          kind === 'zip' ? '2024-02-29T12:00' : '2024-02-29T12:30',
        )
      }
    },
  )

  test('has the same bytes in every time zone', async () => {
    const script = `
      import { packTarGz, packZip } from ${JSON.stringify(join(repository, 'scripts/release/archive.ts'))}
      const files = [{ name: 'a', mode: 0o755, bytes: new Uint8Array([1, 2, 3]) }]
      const pack = ${kind === 'zip' ? 'packZip' : 'packTarGz'}
      console.log(new Date(0).getHours(), (await pack(files, new Date('2024-02-29T00:30:00Z'))).toHex())`
    const made = ['UTC', 'Pacific/Auckland', 'America/Los_Angeles'].map((zone) =>
      runIn(repository, [process.execPath, '-e', script], zone).trim().split(' '),
    )
    expect(new Set(made.map(([hour]) => hour)).size).toBe(3)
    expect(new Set(made.map(([, hex]) => hex)).size).toBe(1)
  })
})

describe('the tables of a release', () => {
  test('name documents that exist, each under a name of its own in the archive', () => {
    expect(documents.filter((path) => !existsSync(join(repository, path)))).toEqual([])
    expect(new Set(documents.map((path) => path.split('/').at(-1))).size).toBe(documents.length)
  })

  test('name runtimes that the lock file holds, in the version that compiles', () => {
    const { packages } = parseLockFile(readFileSync(join(repository, 'bun.lock'), 'utf8'))
    const locked = new Map(packages.map(({ key, version }) => [key, version]))
    expect(targets.map(({ runtime }) => locked.get(runtime))).toEqual(targets.map(() => Bun.version))
  })
})

describe('the lock file', () => {
  test('gives an importer its own version of a package before the one that all share', () => {
    const keys = new Set(['a', 'a/b', 'b', '@s/c', '@s/c/b'])
    expect(resolve(keys, 'a', 'b')).toBe('a/b')
    expect(resolve(keys, 'a/b', 'b')).toBe('a/b')
    expect(resolve(keys, '@s/c', 'b')).toBe('@s/c/b')
    expect(resolve(keys, '@s/d', 'b')).toBe('b')
    expect(resolve(keys, '', 'b')).toBe('b')
    expect(resolve(keys, 'a', 'd')).toBeUndefined()
  })

  test('tells which entry a file belongs to', () => {
    expect(keyOf('node_modules/a/index.js')).toBe('a')
    expect(keyOf('node_modules/@s/c/dist/a/index.js')).toBe('@s/c')
    expect(keyOf('node_modules/@s/c/node_modules/b/index.js')).toBe('@s/c/b')
  })
})

describe('what is shipped', () => {
  test('is every package of which a byte is in the executable', () => {
    const inputs = {
      'src/main.ts': { bytesInOutput: 10 },
      'node_modules/a/index.js': { bytesInOutput: 1 },
      'node_modules/b/index.js': { bytesInOutput: 0 },
    }
    expect([...shippedKeys({ outputs: { 'main.js': { inputs } } })]).toEqual(['a'])
  })
})

describe.skipIf(!hasGit)('a release is made of a commit', () => {
  test('and refused where there is none', () => {
    expect(() => commitDate(temporaryFolder())).toThrow(/not a git repository/)
  })

  test('and refused where the work tree is not what was committed', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'sub'))
    writeFileSync(join(folder, 'file'), 'one\n')
    const identity = ['-c', 'user.name=A tester', '-c', 'user.email=tester@example.org']
    runIn(folder, ['git', 'init', '-q'])
    runIn(folder, ['git', 'add', 'file'])
    runIn(folder, ['git', ...identity, 'commit', '-q', '-m', 'A commit'])
    expect(commitDate(folder).getTime() % 1000).toBe(0)
    writeFileSync(join(folder, 'file'), 'two\n')
    expect(() => commitDate(folder)).toThrow(/commit or stash/)
  })
})
