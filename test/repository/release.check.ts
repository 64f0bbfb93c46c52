// `npm run release:check`: makes a release and runs what this machine can run. Slow, so no part of `npm test`.
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { oldestLibc } from '../../scripts/release/packages/contents.ts'
import { targets } from '../../scripts/release/targets.ts'
import { createRenderer } from '../../src/highlight/child.ts'
import { childCommand, type JobResult } from '../../src/highlight/highlighter.ts'
import { languages } from '../../src/highlight/languages/languages.ts'
import { createClient, examplePaste } from '../support/client.ts'
import { createSbomValidator } from '../support/cyclonedx.ts'
import { git } from '../support/git.ts'
import { muslPrefix } from '../support/musl.ts'
import { endOf, repository, start, temporaryFolder } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'

// Seven executables of 120 MB are compiled and packed.
setDefaultTimeout(600_000)

const folder = join(temporaryFolder(), 'release')
const { version, dependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))

const packages = [
  ...['amd64', 'arm64'].map((name) => `shortcrust_${version}_${name}.deb`),
  ...['x86_64', 'aarch64'].map((name) => `shortcrust-${version}-1.${name}.rpm`),
]

const command = async (words: readonly string[], cwd: string) => {
  const child = Bun.spawn([...words], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const { code, stdout, stderr } = await endOf(child)
  expect(code, stderr).toBe(0)
  return { stdout, stderr }
}

const release = (from: string, into: string, names: readonly string[] = []) =>
  command(
    [
      process.execPath,
      'scripts/release/main.ts',
      '--out',
      into,
      ...names.flatMap((name) => ['--target', name]),
    ],
    from,
  )

beforeAll(async () => {
  expect((await release(repository, folder)).stderr).toBe('')
})

describe('a release', () => {
  test('holds an archive for each platform, packages for Linux with glibc, the SBOM, the sums and deploy/', () => {
    const archives = targets.map(
      ({ name, extension }) => `shortcrust-${version}-${name}.${extension ? 'zip' : 'tar.gz'}`,
    )
    expect(readdirSync(folder).sort()).toEqual(
      ['SHA256SUMS', 'deploy', `shortcrust-${version}.cdx.json`, ...archives, ...packages].sort(),
    )
  })

  test('has sums that sha256sum confirms', async () => {
    const { stdout } = await command(['sha256sum', '--check', 'SHA256SUMS'], folder)
    expect(stdout.match(/: OK$/gm)).toHaveLength(targets.length + packages.length + 1)
  })

  test('writes these sums into the files of deploy/ that name an archive', () => {
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8')
    for (const path of ['aur/PKGBUILD', 'aur/.SRCINFO', 'homebrew/shortcrust.rb', 'nix/package.nix']) {
      const named = readFileSync(join(folder, 'deploy', path), 'utf8').match(/\b[0-9a-f]{64}\b/g) ?? []
      expect(named.length, path).toBe(path.startsWith('aur') ? 2 : 4)
      for (const sum of named) expect(sums).toContain(`${sum}  shortcrust-${version}-`)
    }
  })

  test('has an SBOM that fits its schema and requires what the program imports and Bun for each platform', () => {
    const sbom = JSON.parse(readFileSync(join(folder, `shortcrust-${version}.cdx.json`), 'utf8'))
    const validate = createSbomValidator()
    expect(validate(sbom), JSON.stringify(validate.errors)).toBe(true)
    const components: { name: string; scope: string; licenses?: unknown }[] = sbom.components
    const required = components.filter(({ scope }) => scope === 'required')
    const names = required.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining([...Object.keys(dependencies), ...targets.map(({ runtime }) => runtime)]),
    )
    expect(names).not.toContain('typescript')
    expect(required.filter(({ licenses }) => !licenses)).toEqual([])
  })

  test('has the same bytes when it is made again, in a fresh clone in another folder', async () => {
    const clone = join(temporaryFolder(), 'another/folder')
    git(repository, 'clone', '--quiet', '.', clone)
    await command([process.execPath, 'install', '--frozen-lockfile'], clone)
    const again = join(clone, 'dist/release')
    await release(clone, again, ['linux-x64', 'windows-x64'])
    const made = readdirSync(again).filter((file) => file !== 'SHA256SUMS')
    expect(made).toHaveLength(5)
    for (const file of made)
      expect(readFileSync(join(again, file)).equals(readFileSync(join(folder, file))), file).toBe(true)
  })
})

const hasPatchelf = requireProgram('patchelf', 'patchelf')

// Programs that Bun compiled have crashed after such a change before.
test.skipIf(!hasPatchelf)(
  'the executable for Linux runs with another loader, as deploy/nix sets it',
  async () => {
    const unpacked = temporaryFolder()
    const name = `shortcrust-${version}-linux-x64`
    await command(['tar', '-xzf', join(folder, `${name}.tar.gz`)], unpacked)
    const program = join(unpacked, name, 'shortcrust')
    const { stdout: loader } = await command(['patchelf', '--print-interpreter', program], unpacked)
    const other = join(unpacked, 'a-loader-with-a-longer-path.so')
    await command(['cp', '--dereference', loader.trim(), other], unpacked)
    await command(['patchelf', '--set-interpreter', other, program], unpacked)
    const server = await start({ program: [program] })
    const client = createClient(server.url)
    const paste = await client.paste()
    expect(await (await client.get(paste.pasteUrl ?? '')).text()).toContain('const')
    expect(await server.stop()).toBe(0)
  },
)

test('the executable shows every language as the sources do', async () => {
  const unpacked = temporaryFolder()
  const name = `shortcrust-${version}-linux-x64`
  await command(['tar', '-xzf', join(folder, `${name}.tar.gz`)], unpacked)
  const render = await createRenderer()
  const text = readFileSync(join(repository, 'src/highlight/child.ts'), 'utf8').slice(0, 2000)
  const results: JobResult[] = []
  let settle = () => {}
  const child = Bun.spawn([join(unpacked, name, 'shortcrust'), childCommand, 'quick'], {
    stdio: ['ignore', 'ignore', 'ignore'],
    ipc: (result: JobResult) => {
      results.push(result)
      if (!('piece' in result || 'isStarted' in result)) settle()
    },
  })
  for (const { id } of languages) {
    const answered = new Promise<void>((resolve) => {
      settle = resolve
    })
    child.send({ text, language: id })
    await answered
    const html = results.splice(0).flatMap((result) => ('piece' in result ? result.piece : []))
    expect(html.join(''), id).toBe((await render({ text, language: id }, () => {})).html.join(''))
  }
  child.kill()
})

const hasEmulator = requireProgram('qemu-aarch64-static', 'qemu-user-static libc6-arm64-cross')
const hasMusl = requireProgram('musl-gcc', 'musl-tools')

/** How a platform runs here; `prefix` gives the words before the executable. */
const platforms = [
  { target: 'linux-x64', on: 'this machine', isHere: true, prefix: () => [] },
  {
    target: 'linux-x64',
    on: 'a CPU of 2008, without AVX',
    isHere: hasEmulator,
    prefix: () => ['qemu-x86_64-static', '-cpu', 'Nehalem'],
  },
  {
    target: 'linux-arm64',
    on: 'an emulated CPU',
    isHere: hasEmulator,
    prefix: () => ['qemu-aarch64-static', '-L', '/usr/aarch64-linux-gnu'],
  },
  { target: 'linux-x64-musl', on: "Debian's musl", isHere: hasMusl, prefix: muslPrefix },
]

test.each(['linux-x64', 'linux-arm64'])(
  'the executable for %s asks for the libc of its packages',
  (target) => {
    const bytes = readFileSync(join(repository, 'dist/work', target, 'shortcrust'))
    const versions = [...bytes.toString('latin1').matchAll(/GLIBC_([\d.]+)\0/g)].map(([, of = '']) => of)
    expect(versions.sort(Bun.semver.order).at(-1)).toBe(oldestLibc)
  },
)

describe.each(platforms)('the executable for $target on $on', ({ target, isHere, prefix }) => {
  const name = `shortcrust-${version}-${target}`
  const unpacked = temporaryFolder()
  const program: string[] = []

  beforeAll(async () => {
    if (isHere) program.push(...prefix(), join(unpacked, name, 'shortcrust'))
    await command(['tar', '-xzf', join(folder, `${name}.tar.gz`)], unpacked)
  })

  test.skipIf(!isHere)('says which version, commit and Bun it is', async () => {
    const { stdout } = await command([...program, '--version'], unpacked)
    const commit = git(repository, 'rev-parse', 'HEAD').slice(0, 7)
    expect(stdout).toBe(`shortcrust ${version} (commit ${commit}, Bun ${Bun.version})\n`)
  })

  test.skipIf(!isHere)('starts, creates, reads and stops', async () => {
    const server = await start({ program })
    const client = createClient(server.url)
    const paste = await client.paste()
    expect(await (await client.get(paste.rawUrl ?? '')).text()).toBe(examplePaste.text)
    expect(await (await client.get(paste.pasteUrl ?? '')).text()).toContain('const')
    const link = await client.link()
    expect((await client.get(link.shortendUrl ?? '')).headers.get('Location')).toBe('https://example.org/')
    expect(await server.stop()).toBe(0)
  })
})
