import { describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { YAML } from 'bun'
import { version } from '../../package.json' with { type: 'json' }
import { deployFiles, read, readYaml } from '../support/deploy.ts'
import { repository, temporaryFolder } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'
import { blocksOf } from '../support/shown-commands.ts'

const container = read('docs/container.md')
const install = read('docs/install.md')
/** The commands of a chapter of the page on containers. */
const commandsOf = (heading: string) =>
  blocksOf(container.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '', 'sh').join('')
const sh = (script: string, cwd = repository) =>
  Bun.spawnSync(['bash', '-euc', script], { cwd, env: { ...process.env, LANG: 'C.UTF-8' } })

describe('the documents', () => {
  test('name every folder of deploy/, each in the table of other systems', () => {
    // `packages/` is a part of the .deb and .rpm, and nobody opens it.
    const ofSystems = deployFiles.filter((path) => !path.startsWith('deploy/packages/'))
    const folders = new Set(ofSystems.flatMap((path) => /^deploy\/\w+(?=\/)/.exec(path) ?? []))
    expect(folders.size).toBe(9)
    for (const folder of [...folders, 'compose.yaml']) expect(install).toContain(`](../${folder}) |`)
  })

  test('name the version of the files', () => {
    const named =
      `${container}${install}${read('docs/releases.md')}`.match(/(?<=shortcrust[-:])\d[\d.]*\d/g) ?? []
    expect(named.length).toBeGreaterThan(4)
    expect(new Set(named)).toEqual(new Set([version]))
  })
})

describe('the commands for Compose', () => {
  test('name an image, which the file then takes', () => {
    const line = commandsOf('Compose').match(
      /^IMAGE=(\S+) PULL_POLICY=missing docker compose up --detach --no-build$/m,
    )
    expect(line?.[1]).toBe(`registry.example.org/shortcrust:${version}`)
    expect(read('compose.yaml')).toContain(`# ${line?.[0]}\n`)
  })
})

const hasKubectl = requireProgram('kubectl', 'kubernetes-client')

describe('the commands for Kubernetes', () => {
  const commands = commandsOf('Kubernetes')

  test('make the namespace and the secret that the manifests name, and apply their folder', () => {
    const { namespace } = readYaml<{ namespace: string }>('deploy/kubernetes/kustomization.yaml')
    expect(commands).toContain(`kubectl create namespace ${namespace}\n`)
    for (const [, used] of commands.matchAll(/--namespace (\S+)/g)) expect(used).toBe(namespace)
    const [, secret, key] = /create secret generic (\S+) --from-literal=([\w-]+)="\$\(/.exec(commands) ?? []
    const set = read('deploy/kubernetes/statefulset.yaml')
    expect(set).toContain(`secretName: ${secret}\n`)
    expect(set).toContain(`value: /run/secrets/shortcrust/${key}\n`)
    expect(commands).toContain('kubectl apply --kustomize deploy/kubernetes\n')
  })

  // `kubectl kustomize` reads what `kubectl apply --kustomize` sends; a dry run asks no cluster.
  test.skipIf(!hasKubectl)('are ones that kubectl takes', () => {
    const home = temporaryFolder()
    const asked = commands
      .replace('apply --kustomize', 'kustomize')
      .replace(/^(kubectl .*create .*)$/gm, '$1 --dry-run=client --output yaml && echo ---')
      .replace(/^kubectl .* port-forward .*$/m, '')
    const { stdout, stderr, exitCode } = sh(`export HOME=${home}\n${asked}`)
    expect(exitCode, stderr.toString()).toBe(0)
    const made = YAML.parse(stdout.toString()) as { kind: string; metadata: Record<string, string> }[]
    expect(made.map(({ kind, metadata }) => [kind, metadata.namespace ?? metadata.name])).toEqual(
      ['Namespace', 'Secret', 'Service', 'Service', 'StatefulSet'].map((kind) => [kind, 'shortcrust']),
    )
  })

  test('forward the port of the Service', () => {
    const { metadata, spec } = readYaml<{ metadata: { name: string }; spec: { ports: { port: number }[] } }>(
      'deploy/kubernetes/service.yaml',
    )
    expect(commands).toContain(`port-forward service/${metadata.name} ${spec.ports[0]?.port}\n`)
  })

  test('make a key that is long enough', () => {
    const made = sh(/\$\((openssl [^)]+)\)/.exec(commands)?.[1] ?? 'false').stdout.toString()
    expect(made).toMatch(/^\w{48}\n$/)
  })
})

describe('the commands for Podman', () => {
  const commands = commandsOf('Podman')

  test('build the image that the quadlet names', () => {
    const [, tag] = /--tag (\S+) /.exec(commands) ?? []
    expect(read('deploy/podman/shortcrust.container')).toContain(`\nImage=localhost/${tag}\n`)
    const [, name] = /^ContainerName=(.*)$/m.exec(read('deploy/podman/shortcrust.container')) ?? []
    expect(commands).toContain(`podman logs ${name}\n`)
  })

  test('install each file of the quadlet', () => {
    const folder = temporaryFolder()
    const line = commands.split('\n').find((one) => one.startsWith('sudo install')) ?? 'false'
    mkdirSync(join(folder, 'etc'))
    sh(line.replace('sudo ', '').replace('/etc/containers/systemd/', join(folder, 'etc/')))
    expect(readdirSync(join(folder, 'etc'))).toEqual(readdirSync(join(repository, 'deploy/podman')))
    expect(readFileSync(join(folder, 'etc/shortcrust.volume'), 'utf8')).toBe(
      read('deploy/podman/shortcrust.volume'),
    )
  })
})

describe('the command for Arch', () => {
  test.skipIf(!requireProgram('makepkg', 'makepkg'))('has flags that makepkg knows', () => {
    const [command = ''] = /(?<=`)makepkg [^`]+/.exec(install) ?? []
    const help = sh('makepkg --help').stdout.toString()
    const flags = command.match(/--\w+/g) ?? []
    expect(flags).toEqual(['--syncdeps', '--install'])
    for (const flag of flags) expect(help).toContain(` ${flag} `)
  })
})

describe('the command for a release', () => {
  test('writes the folder that the command for Nix names', () => {
    expect(install).toContain('`nix run path:dist/release/deploy/nix`')
    expect(read('scripts/release/main.ts')).toContain("'dist/release'")
    expect(deployFiles).toContain('deploy/nix/flake.nix')
  })

  test('has flags that exist', () => {
    const [command = ''] = /^npm run release -- --address .*$/m.exec(read('docs/releases.md')) ?? []
    const flags = command.match(/--[a-z]+(?= )/g) ?? []
    expect(flags).toEqual(['--address', '--image'])
    // With a target that there is not, it ends after its flags were read.
    const words = command.replace('npm run release --', '').trim().split(' ')
    const main = ['bun', 'scripts/release/main.ts', ...words, '--target', 'none']
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, ...main.slice(1)], { cwd: repository })
    expect([exitCode, stderr.toString()]).toEqual([2, expect.stringContaining('unknown target none')])
  })
})
