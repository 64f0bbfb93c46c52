import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { commitOf } from '../../src/cli/server/commit.ts'
import { compile } from '../build.ts'
import { grammarsPackage } from '../pack-grammars.ts'
import { packTarGz, packZip } from './archive.ts'
import { folderOf, type LockFile, type Metafile, parseLockFile, shippedKeys } from './lock-file.ts'
import { type PackageParts, packageVersion } from './packages/contents.ts'
import { packDeb } from './packages/deb.ts'
import { packRpm, rpmName } from './packages/rpm.ts'
import { createSbom } from './sbom.ts'
import { documents, targets as everyTarget, type PackageArchitecture, type Target } from './targets.ts'

const { name, version, description, license, dependencies, devDependencies } = manifest

/** The contents of the archive of a target, in this order, in a folder of its own. */
const archiveFiles = (folder: string, executable: string) => [
  { name: `${folder}/${basename(executable)}`, mode: 0o755, bytes: new Uint8Array(readFileSync(executable)) },
  ...documents.map((path) => ({
    name: `${folder}/${basename(path)}`,
    mode: 0o644,
    bytes: new Uint8Array(readFileSync(path)),
  })),
]

/** A package for one platform may not be installed here; of those only Bun's own, which all share one licence, is named. */
const licenseReader = (lock: LockFile) => {
  const forOnePlatform = new Set(
    lock.packages.filter(({ isForOnePlatform }) => isForOnePlatform).map(({ key }) => key),
  )
  return (key: string): string | undefined => {
    const named = key.startsWith('@oven/bun-') ? 'bun' : key
    if (named === key && forOnePlatform.has(key)) return undefined
    const path = join(folderOf(named), 'package.json')
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).license : undefined
  }
}

const removeEarlier = (folder: string) => {
  const isOurs = (file: string) =>
    file === 'SHA256SUMS' || /^shortcrust[-_].*\.(tar\.gz|zip|deb|rpm|cdx\.json)$/.test(file)
  for (const file of readdirSync(folder).filter(isOurs)) rmSync(join(folder, file))
}

/**
 * The time of the commit of a release, which is also the time in its archives.
 * @throws {Error} where there is no commit, or the work tree is not what was committed
 */
export const commitDate = (repository: string): Date => {
  const commit = commitOf(repository)
  if (commit === 'unknown')
    throw new Error('a release is built from a commit, and this is not a git repository')
  if (commit.endsWith('-dirty'))
    throw new Error('a release is built from a commit: commit or stash the changes first (`git status`)')
  const { stdout } = Bun.spawnSync(['git', 'show', '-s', '--format=%ct', 'HEAD'], { cwd: repository })
  return new Date(Number(String(stdout)) * 1000)
}

/**
 * Installs Bun for each target into a folder of its own, by the hashes of the lock file. `bun build --target` would
 * fetch them too, but checks no hash and does not ask the registry that is configured (oven-sh/bun#25713).
 * @returns where the runtime of a target lies
 * @throws {Error} with what Bun says, for example when a hash does not fit
 */
const installRuntimes = async (lock: LockFile, targets: readonly Target[], folder: string) => {
  const wanted = lock.packages.filter(({ key }) => targets.some(({ runtime }) => runtime === key))
  const dependencies = Object.fromEntries(wanted.map(({ key, version }) => [key, version]))
  const packages = Object.fromEntries(wanted.map(({ key, entry }) => [key, entry]))
  const [name, { lockfileVersion, configVersion }] = ['runtimes', lock]
  const workspaces = { '': { name, dependencies } }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, private: true, dependencies }))
  writeFileSync(
    join(folder, 'bun.lock'),
    JSON.stringify({ lockfileVersion, configVersion, workspaces, packages }),
  )
  const child = Bun.spawn([process.execPath, 'install', '--frozen-lockfile', '--os', '*', '--cpu', '*'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stderr = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`the runtimes were not installed\n${stderr}`)
  return ({ runtime, extension }: Target) => join(folder, 'node_modules', runtime, `bin/bun${extension}`)
}

/** The packages of one executable for Linux, by the names of their files. */
export const makePackages = async (parts: PackageParts, { deb, rpm }: PackageArchitecture) =>
  [
    [`${parts.name}_${packageVersion(parts.version)}_${deb}.deb`, await packDeb(parts, deb)],
    [rpmName(parts, rpm), packRpm(parts, rpm)],
  ] as const

const shells = ['bash', 'zsh', 'fish'] as const

/** What `shortcrust completions` prints for each shell. */
const readCompletions = () => {
  const scripts = shells.map((shell) => {
    const { stdout, stderr, exitCode } = Bun.spawnSync([
      process.execPath,
      'src/main.ts',
      'completions',
      shell,
    ])
    if (exitCode !== 0) throw new Error(`the completions for ${shell} were not made\n${stderr}`)
    return [shell, String(stdout)]
  })
  return Object.fromEntries(scripts) as PackageParts['completions']
}

type ReleaseParts = {
  targets: readonly Target[]
  /** Files of an earlier release in it are removed first, nothing else. */
  folder: string
  /** Where executables and runtimes lie meanwhile. */
  workFolder: string
  madeAt: Date
  /** Called before each step. */
  onStep: (step: string) => void
}

/**
 * Makes the archives, the packages, the SBOM and `SHA256SUMS`. The same commit gives the same bytes.
 * @returns names and sizes in bytes
 */
export const makeRelease = async ({ targets, folder, workFolder, madeAt, onStep }: ReleaseParts) => {
  const made: { name: string; bytes: number; sha256: string }[] = []
  mkdirSync(folder, { recursive: true })
  removeEarlier(folder)
  const put = (file: string, bytes: Uint8Array | string) => {
    writeFileSync(join(folder, file), bytes)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    made.push({ name: file, bytes: Buffer.byteLength(bytes), sha256 })
  }

  const lock = parseLockFile(readFileSync('bun.lock', 'utf8'))
  onStep('runtimes')
  const runtimeOf = await installRuntimes(lock, targets, join(workFolder, 'runtimes'))
  const completions = readCompletions()
  const metafile = join(workFolder, 'metafile.json')
  for (const target of targets) {
    const archive = `${name}-${version}-${target.name}`
    // The name of the file goes into the executable: each has the same one, in a folder of its own.
    const executable = join(workFolder, target.name, `${name}${target.extension}`)
    onStep(`${target.name}: compiling`)
    const runtime = `--compile-executable-path=${runtimeOf(target)}`
    await compile(executable, target.bun, [runtime, `--metafile=${metafile}`])
    onStep(`${target.name}: packing`)
    const files = archiveFiles(archive, executable)
    if (target.extension) put(`${archive}.zip`, packZip(files, madeAt))
    else put(`${archive}.tar.gz`, await packTarGz(files, madeAt))
    if (target.architecture) {
      const program = { executable: new Uint8Array(readFileSync(executable)), completions }
      const parts = { name, version, summary: description, license, madeAt, ...program }
      for (const [file, bytes] of await makePackages(parts, target.architecture)) put(file, bytes)
    }
  }

  onStep('SBOM')
  const sbom = createSbom({
    name,
    version,
    license,
    dependencies: Object.keys({ ...dependencies, ...devDependencies }),
    packages: lock.packages,
    shipped: shippedKeys(JSON.parse(readFileSync(metafile, 'utf8')) as Metafile).add(grammarsPackage),
    runtimes: new Set(everyTarget.map(({ runtime }) => runtime)),
    licenseOf: licenseReader(lock),
    madeAt,
  })
  put(`${name}-${version}.cdx.json`, sbom)
  put('SHA256SUMS', made.map((file) => `${file.sha256}  ${file.name}\n`).join(''))
  return made
}
