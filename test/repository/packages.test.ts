import { describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePackages } from '../../scripts/release/make.ts'
import { type PackageParts, packageFiles, packageVersion } from '../../scripts/release/packages/contents.ts'
import { settings } from '../../src/settings/config.ts'
import { repository, temporaryFolder } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'

const hasDpkg = requireProgram('dpkg-deb', 'dpkg')
const hasRpm = requireProgram('rpm', 'rpm')

const parts: PackageParts = {
  name: 'shortcrust',
  version: '1.2.0-rc.1',
  summary: 'A summary',
  license: 'MIT',
  // Of odd length, as an archive pads it.
  executable: new TextEncoder().encode('#!/bin/sh\necho run\n'),
  completions: { bash: 'bash\n', zsh: 'zsh\n', fish: 'fish\n' },
  madeAt: new Date('2024-02-29T12:30:00Z'),
}

const folder = temporaryFolder()
const made = await makePackages(parts, { deb: 'arm64', rpm: 'aarch64' })
for (const [name, bytes] of made) writeFileSync(join(folder, name), bytes)
const [deb = '', rpm = ''] = made.map(([name]) => join(folder, name))

const output = (...command: string[]) => {
  const { stdout, stderr, exitCode } = Bun.spawnSync(command, { env: { ...process.env, TZ: 'UTC' } })
  expect(exitCode, String(stderr)).toBe(0)
  return String(stdout)
}

const files = [
  ['etc/shortcrust.env', '-rw-r-----'],
  ['usr/bin/shortcrust', '-rwxr-xr-x'],
  ['usr/lib/systemd/system/shortcrust.service', '-rw-r--r--'],
  ['usr/share/bash-completion/completions/shortcrust', '-rw-r--r--'],
  ['usr/share/doc/shortcrust/README.md', '-rw-r--r--'],
  ['usr/share/doc/shortcrust/copyright', '-rw-r--r--'],
  ['usr/share/fish/vendor_completions.d/shortcrust.fish', '-rw-r--r--'],
] as const

describe('a package', () => {
  test('is named as its kind is', () => {
    expect(made.map(([name]) => name)).toEqual([
      'shortcrust_1.2.0~rc.1_arm64.deb',
      'shortcrust-1.2.0~rc.1-1.aarch64.rpm',
    ])
  })

  test('has the same bytes in every time zone', () => {
    const script = `
      import { makePackages } from ${JSON.stringify(join(repository, 'scripts/release/make.ts'))}
      const bytes = new TextEncoder().encode('run')
      const completions = { bash: '', zsh: '', fish: '' }
      const parts = { ...${JSON.stringify(parts)}, executable: bytes, completions, madeAt: new Date(0) }
      for (const [, made] of await makePackages(parts, { deb: 'arm64', rpm: 'aarch64' }))
        console.log(String(Bun.hash(made)))`
    const hashes = ['UTC', 'Pacific/Auckland'].map((TZ) => {
      const env = { ...process.env, TZ }
      return String(Bun.spawnSync([process.execPath, '-e', script], { cwd: repository, env }).stdout)
    })
    expect(hashes[0]).toMatch(/^\d+\n\d+\n$/)
    expect(hashes[1]).toBe(hashes[0])
  })

  test('has the unit of the archives, for the program in /usr/bin', () => {
    const unit = packageFiles(parts, 'zsh').find(({ name }) => name.endsWith('.service'))
    const text = new TextDecoder().decode(unit?.bytes)
    const original = readFileSync(join(repository, 'deploy/shortcrust.service'), 'utf8')
    expect(text).toContain('\nExecStart=/usr/bin/shortcrust\n')
    expect(text).toContain('\nEnvironmentFile=-/etc/shortcrust.env\n')
    expect(text.replace('/usr/bin/', '/usr/local/bin/')).toBe(original)
  })

  test('has a file of settings that sets nothing and names only what there is', () => {
    const lines = readFileSync(join(repository, 'deploy/packages/shortcrust.env'), 'utf8').trim().split('\n')
    expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
    const named = lines.flatMap((line) => /^#([A-Z_]+)=/.exec(line)?.[1] ?? [])
    const known = Object.values(settings).map(({ variable }) => variable)
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((name) => !known.includes(name))).toEqual([])
  })
})

describe.skipIf(!hasDpkg)('a .deb', () => {
  test('holds the files, each of root, with the time of the commit', () => {
    const listed = output('dpkg-deb', '--contents', deb).split('\n')
    for (const [path, mode] of [
      ...files,
      ['usr/share/zsh/vendor-completions/_shortcrust', '-rw-r--r--'],
    ] as const) {
      const line = listed.find((each) => each.endsWith(` ./${path}`))
      expect(line, path).toMatch(new RegExp(`^${mode} root/root +\\d+ 2024-02-29 12:30 `))
    }
    expect(listed.filter((each) => each.startsWith('-'))).toHaveLength(files.length + 1)
  })

  test('says what it is and what it needs', () => {
    const fields = ['Package', 'Version', 'Architecture', 'Depends', 'Description']
    const shown = output('dpkg-deb', '--field', deb, ...fields).split('\n')
    expect(shown.slice(0, 5)).toEqual([
      'Package: shortcrust',
      'Version: 1.2.0~rc.1',
      'Architecture: arm64',
      'Depends: libc6 (>= 2.17), init-system-helpers (>= 1.54~), passwd',
      'Description: A summary',
    ])
  })

  test('has scripts that sh reads, settings that are kept, and sums that fit', () => {
    const unpacked = join(folder, 'unpacked')
    output('dpkg-deb', '--raw-extract', deb, unpacked)
    for (const script of ['postinst', 'prerm', 'postrm']) output('sh', '-n', join(unpacked, 'DEBIAN', script))
    expect(readFileSync(join(unpacked, 'DEBIAN/conffiles'), 'utf8')).toBe('/etc/shortcrust.env\n')
    const sums = ['--check', '--strict', 'DEBIAN/md5sums']
    const checked = output('env', '--chdir', unpacked, 'md5sum', ...sums)
    expect(checked.match(/: OK$/gm)).toHaveLength(files.length)
  })

  test('of a version before its release is older than it', () => {
    const dpkg = ['dpkg', '--compare-versions']
    output(...dpkg, packageVersion('1.2.0-rc.1'), 'lt', packageVersion('1.2.0'))
    output(...dpkg, packageVersion('1.1.9'), 'lt', packageVersion('1.2.0-rc.1'))
  })
})

describe.skipIf(!hasRpm)('an .rpm', () => {
  const query = (format: string) => output('rpm', '--query', '--queryformat', format, '--package', rpm)

  test('holds the files, each of root, with the time of the commit', () => {
    const listed = query(
      '[%{FILEMODES:perms} %{FILEUSERNAME} %{FILEGROUPNAME} %{FILEMTIMES} %{FILENAMES}\\n]',
    )
    const all = [...files, ['usr/share/zsh/site-functions/_shortcrust', '-rw-r--r--']] as const
    const seconds = parts.madeAt.getTime() / 1000
    expect(listed).toBe(all.map(([path, mode]) => `${mode} root root ${seconds} /${path}\n`).join(''))
  })

  test('says what it is, what it needs, and which settings are kept', () => {
    expect(query('%{NAME} %{VERSION} %{RELEASE} %{ARCH} %{LICENSE} %{SUMMARY}')).toBe(
      'shortcrust 1.2.0~rc.1 1 aarch64 MIT A summary',
    )
    const needed = output('rpm', '--query', '--requires', '--package', rpm).split('\n')
    expect(needed).toEqual(
      expect.arrayContaining(['/bin/sh', '/usr/sbin/useradd', 'libc.so.6(GLIBC_2.17)(64bit)']),
    )
    expect(query('[%{FILEFLAGS:fflags} %{FILENAMES}\\n]')).toStartWith('cn /etc/shortcrust.env\n')
  })

  test('has digests that fit, of its header and of its contents', () => {
    const checked = output('rpm', '--checksig', '--verbose', rpm)
    expect(checked.match(/: OK$/gm)).toHaveLength(4)
    const damaged = join(folder, 'damaged.rpm')
    const bytes = Buffer.from(readFileSync(rpm))
    bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1
    writeFileSync(damaged, bytes)
    expect(Bun.spawnSync(['rpm', '--checksig', damaged]).exitCode).not.toBe(0)
  })

  test('is unpacked to the same contents', () => {
    const into = join(folder, 'from-rpm')
    mkdirSync(into)
    output('rpm', '--root', into, '--install', '--nodeps', '--noscripts', '--ignorearch', rpm)
    expect(new Uint8Array(readFileSync(join(into, 'usr/bin/shortcrust')))).toEqual(parts.executable)
  })

  test('has scripts that sh reads', () => {
    const names = ['POSTIN', 'PREUN', 'POSTUN']
    for (const name of names) {
      const script = query(`%{${name}}`)
      expect(script).toStartWith('#!/bin/sh\n')
      expect(Bun.spawnSync(['sh', '-n'], { stdin: Buffer.from(script) }).exitCode, name).toBe(0)
    }
    expect(names.map((name) => query(`%{${name}PROG}`))).toEqual(names.map(() => '/bin/sh'))
  })
})
