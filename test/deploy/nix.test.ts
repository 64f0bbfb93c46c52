import { beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { description, license, version } from '../../package.json' with { type: 'json' }
import { fillIn } from '../../scripts/release/deploy-files.ts'
import { settings } from '../../src/settings/config.ts'
import { published, read, variables } from '../support/deploy.ts'
import { repository, temporaryFolder } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'

const hasNix = requireProgram('nix-instantiate', 'nix-bin')
const hasPatchelf = requireProgram('patchelf', 'patchelf')
const files = ['flake.nix', 'package.nix', 'module.nix']

type Machine = {
  environment: { systemPackages: string[] }
  networking: { firewall: { allowedTCPPorts: number[] } }
  users: { users: Record<string, { home: string; group: string; isSystemUser: boolean }> }
  systemd: { packages: string[]; services: Record<string, Record<string, Record<string, string>>> }
}
type Package = {
  version: string
  src: { url: string; sha256: string }
  installPhase: string
  nativeBuildInputs: string[]
  meta: Record<string, unknown>
} & Record<string, unknown>
type Evaluated = {
  description: string
  options: string[]
  packages: Record<string, Package>
  machines: { without: object; default: Machine; full: Machine }
}

/** What Nix makes of the flake, filled in, with a stand-in for nixpkgs. */
const evaluate = (): Evaluated => {
  const folder = temporaryFolder()
  for (const file of files) writeFileSync(join(folder, file), fillIn(read(`deploy/nix/${file}`), published))
  const stub = join(repository, 'test/fixtures/deploy/nixpkgs.nix')
  const words = ['nix-instantiate', '--eval', '--strict', '--json', stub, '--arg', 'folder', folder]
  const env = { ...process.env, HOME: folder, NIX_STATE_DIR: folder, NIX_STORE_DIR: join(folder, 'store') }
  const { stdout, stderr } = Bun.spawnSync(words, { env })
  if (stdout.length === 0) throw new Error(stderr.toString())
  return JSON.parse(stdout.toString())
}

describe.skipIf(!hasNix)('the flake for Nix', () => {
  let flake: Evaluated
  beforeAll(() => {
    flake = evaluate()
  })

  test('has a package for each platform, of the archive of its own and its sum', () => {
    const targets = {
      'aarch64-darwin': 'macos-arm64',
      'aarch64-linux': 'linux-arm64',
      'x86_64-darwin': 'macos-x64',
      'x86_64-linux': 'linux-x64',
    }
    expect(flake.description).toBe(description)
    expect(Object.keys(flake.packages)).toEqual(Object.keys(targets))
    for (const [system, target] of Object.entries(targets)) {
      const archive = `shortcrust-${version}-${target}.tar.gz`
      const one = flake.packages[system]
      const sha256 = published.sums.get(archive) ?? ''
      expect(one?.src).toEqual({ url: `${published.address}/${archive}`, sha256 })
      expect(one?.version).toBe(version)
      expect(one?.meta).toMatchObject({ description, license, mainProgram: 'shortcrust' })
      expect([one?.dontStrip, one?.dontPatchELF]).toEqual([true, true])
    }
  })

  test('has a module that does nothing until it is enabled', () => {
    expect(flake.machines.without).toEqual({})
  })

  test('has a module that runs the unit of the package as its user, for this machine alone', () => {
    const { systemd, users, networking } = flake.machines.default
    expect(systemd.packages).toEqual(['package'])
    expect(systemd.services).toEqual({
      shortcrust: {
        wantedBy: ['multi-user.target'] as never,
        environment: { SHORTCRUST_HOST: '127.0.0.1', SHORTCRUST_PORT: settings.port.default },
        serviceConfig: {},
      },
    })
    const unit = read('deploy/shortcrust.service')
    expect(unit).toContain('\nUser=shortcrust\nGroup=shortcrust\nStateDirectory=shortcrust\n')
    const home = '/var/lib/shortcrust'
    expect(users.users).toEqual({ shortcrust: { home, group: 'shortcrust', isSystemUser: true } })
    expect(networking.firewall.allowedTCPPorts).toEqual([])
  })

  test('has a module that passes its options on as settings, and the key as a credential', () => {
    expect(flake.options).toEqual([
      'apiKeyFile',
      'enable',
      'environment',
      'host',
      'openFirewall',
      'package',
      'port',
    ])
    const { systemd, networking } = flake.machines.full
    const { environment = {}, serviceConfig } = systemd.services.shortcrust ?? {}
    expect(variables).toEqual(expect.arrayContaining(Object.keys(environment)))
    expect(environment).toEqual({
      SHORTCRUST_HOST: '0.0.0.0',
      SHORTCRUST_PORT: '9000',
      SHORTCRUST_PUBLIC_URL: 'http://nas:9000',
      SHORTCRUST_API_KEY_FILE: '%d/api-key',
    })
    expect(serviceConfig).toEqual({ LoadCredential: 'api-key:/run/keys/shortcrust' })
    expect(networking.firewall.allowedTCPPorts).toEqual([9000])
  })

  // A program that Bun compiled crashes after some changes to it: that it still runs is tried on one.
  test.skipIf(!hasPatchelf || process.platform !== 'linux')(
    'installs a program that still runs with the loader of Nix, its unit and its completions',
    () => {
      const folder = temporaryFolder()
      const out = join(folder, 'out')
      const program = join(folder, 'shortcrust')
      writeFileSync(join(folder, 'main.ts'), 'console.log(process.argv.slice(2).join(" "))')
      const compiling = [
        process.execPath,
        'build',
        '--compile',
        join(folder, 'main.ts'),
        '--outfile',
        program,
      ]
      expect(Bun.spawnSync(compiling, { cwd: folder }).exitCode).toBe(0)
      copyFileSync(join(repository, 'LICENSE'), join(folder, 'LICENSE'))
      copyFileSync(join(repository, 'deploy/shortcrust.service'), join(folder, 'shortcrust.service'))
      const loader = join(folder, 'a/much/longer/path/than/before/ld.so')
      mkdirSync(join(loader, '..'), { recursive: true })
      const asked = Bun.spawnSync(['patchelf', '--print-interpreter', program]).stdout.toString().trim()
      copyFileSync(asked, loader)
      chmodSync(loader, 0o755)
      const helpers = [
        'set -eu',
        'runHook() { :; }',
        'installShellCompletion() { cp "$4" "$out/$(echo "$3" | tr -d -)"; }',
        'substituteInPlace() { grep -q "$3" "$1"; sed -i "s|$3|$4|g" "$1"; }',
      ]
      const phase = flake.packages['x86_64-linux']?.installPhase.replace('/nix/store/glibc/lib/ld.so', loader)
      const script = [...helpers, phase].join('\n')
      const { stderr } = Bun.spawnSync(['bash', '-c', script], { cwd: folder, env: { ...process.env, out } })
      expect(stderr.toString()).toBe('')
      expect(Bun.spawnSync([join(out, 'bin/shortcrust'), 'it', 'runs']).stdout.toString()).toBe('it runs\n')
      for (const shell of ['bash', 'zsh', 'fish'])
        expect(readFileSync(join(out, shell), 'utf8')).toBe(`completions ${shell}\n`)
      const unit = readFileSync(join(out, 'lib/systemd/system/shortcrust.service'), 'utf8')
      expect(unit).toContain(`\nExecStart=${out}/bin/shortcrust\n`)
      expect(existsSync(join(out, 'share/doc/shortcrust/LICENSE'))).toBe(true)
    },
  )
})
