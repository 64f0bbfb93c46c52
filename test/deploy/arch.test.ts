import { describe, expect, test } from 'bun:test'
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { description, license, version } from '../../package.json' with { type: 'json' }
import { packTarGz } from '../../scripts/release/archive.ts'
import { fillIn } from '../../scripts/release/deploy-files.ts'
import { published, read } from '../support/deploy.ts'
import { temporaryFolder } from '../support/process.ts'
import { isRoot, requireProgram } from '../support/programs.ts'

const hasMakepkg =
  requireProgram('makepkg', 'makepkg') &&
  requireProgram('bsdtar', 'libarchive-tools') &&
  requireProgram('fakeroot', 'fakeroot')
const aur = 'deploy/aur'

/** A folder that user and group "nobody" may write: makepkg refuses to run as root. */
const workFolder = () => {
  const folder = join(temporaryFolder(), 'package')
  mkdirSync(folder)
  chmodSync(dirname(folder), 0o755)
  // What makepkg looks for and does not ask here; the package manager itself is Arch's own.
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/pacman'), '#!/bin/sh\nexit 0\n')
  chmodSync(join(folder, 'bin/pacman'), 0o755)
  chmodSync(folder, 0o777)
  return folder
}

const makepkg = (folder: string, ...words: string[]) => {
  const nobody = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []
  const PATH = `${join(folder, 'bin')}:${process.env.PATH}`
  const env = { PATH, HOME: folder, LANG: 'C.UTF-8', PKGEXT: '.pkg.tar.gz', CARCH: 'x86_64' }
  const { exitCode, stdout, stderr } = Bun.spawnSync([...nobody, 'makepkg', ...words], { cwd: folder, env })
  return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() }
}

const program = '#!/bin/sh\necho "$@"\n'
const bytes = (text: string) => new TextEncoder().encode(text)

/** An archive as a release has it, with a script in place of the executable. */
const archive = () => {
  const name = `shortcrust-${version}-linux-x64`
  const files = [
    { name: `${name}/shortcrust`, mode: 0o755, bytes: bytes(program) },
    { name: `${name}/LICENSE`, mode: 0o644, bytes: bytes(read('LICENSE')) },
    { name: `${name}/shortcrust.service`, mode: 0o644, bytes: bytes(read('deploy/shortcrust.service')) },
  ]
  return packTarGz(files, new Date('2026-01-01T00:00:00Z'))
}

describe('the package for Arch', () => {
  test('has the words of package.json', () => {
    const text = read(`${aur}/PKGBUILD`)
    expect(text).toContain(`\npkgdesc='${description}'\n`)
    expect(text).toContain(`\nlicense=('${license}')\n`)
  })

  test.skipIf(!hasMakepkg)('has the .SRCINFO that makepkg writes, filled in as well', () => {
    for (const fill of [(text: string) => text, (text: string) => fillIn(text, published)]) {
      const folder = workFolder()
      writeFileSync(join(folder, 'PKGBUILD'), fill(read(`${aur}/PKGBUILD`)))
      const { stdout, stderr } = makepkg(folder, '--printsrcinfo')
      expect([stdout, stderr]).toEqual([fill(read(`${aur}/.SRCINFO`)), ''])
    }
  })

  test.skipIf(!hasMakepkg)('is built by makepkg from an archive of a release', async () => {
    const folder = workFolder()
    const name = `shortcrust-${version}-linux-x64.tar.gz`
    const packed = await archive()
    const sums = new Map([
      ...published.sums,
      [name, new Bun.CryptoHasher('sha256').update(packed).digest('hex')],
    ])
    writeFileSync(join(folder, name), packed)
    writeFileSync(join(folder, 'PKGBUILD'), fillIn(read(`${aur}/PKGBUILD`), { ...published, sums }))
    const { code, stdout, stderr } = makepkg(folder, '--nodeps')
    expect(code, stdout + stderr).toBe(0)
    expect(stderr).toContain(`${name} ... Passed`)

    const root = join(folder, 'root')
    mkdirSync(root)
    cpSync(join(folder, `shortcrust-bin-${version}-1-x86_64.pkg.tar.gz`), join(root, 'package'))
    expect(Bun.spawnSync(['tar', '-xzf', 'package'], { cwd: root }).exitCode).toBe(0)
    const inside = (path: string) => readFileSync(join(root, path), 'utf8')
    expect(inside('.PKGINFO')).toContain(`\npkgver = ${version}-1\n`)
    expect(inside('usr/bin/shortcrust')).toBe(program)
    const unit = inside('usr/lib/systemd/system/shortcrust.service')
    expect(unit).toBe(read('deploy/shortcrust.service').replace('/usr/local/bin/', '/usr/bin/'))
    const [, home] = / (\/\S+)$/m.exec(inside('usr/lib/sysusers.d/shortcrust.conf')) ?? []
    expect(inside('usr/lib/tmpfiles.d/shortcrust.conf')).toBe(`d ${home} 0700 shortcrust shortcrust\n`)
    expect(inside('usr/share/licenses/shortcrust-bin/LICENSE')).toBe(read('LICENSE'))
    for (const [shell, path] of Object.entries({
      bash: 'bash-completion/completions/shortcrust',
      zsh: 'zsh/site-functions/_shortcrust',
      fish: 'fish/vendor_completions.d/shortcrust.fish',
    }))
      expect(inside(`usr/share/${path}`)).toBe(`completions ${shell}\n`)
  })
})
