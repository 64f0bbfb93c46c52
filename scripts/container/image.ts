import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { $, Glob } from 'bun'
import { repository, temporaryFolder } from '../../test/support/process.ts'

/** What of an image's configuration a runtime goes by. */
export type ImageConfig = {
  User: string
  Env: string[]
  WorkingDir: string
  Entrypoint: string[]
  Healthcheck: { Test: string[] }
}

/** Runs a program to its end, whatever comes of it. */
export const attempt = async (command: readonly string[]) => {
  const { exitCode, stdout, stderr } = await $`${command} < /dev/null`.nothrow().quiet()
  return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() }
}

/** What a program prints. @throws with its last words when it does not end with 0 */
export const outputOf = async (...command: string[]) => {
  const { code, stdout, stderr } = await attempt(command)
  if (code === 0) return stdout.trim()
  throw new Error(`${command.join(' ')} ended with ${code}:\n${(stderr || stdout).slice(-2000)}`)
}

/** Stand-ins for the bases that the Dockerfile names, made of Debian's packages: no registry of images is asked. */
const bases = { build: 'localhost/build-base', runtime: 'localhost/runtime-base' }
const certificates = '/etc/ssl/certs/ca-certificates.crt'

/** The release and the address from which this machine's apt takes its packages. */
export const debianSource = async () => {
  const codename = /^VERSION_CODENAME=(.*)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? ''
  const format = '$(CODENAME) $(COMPONENT) $(REPO_URI)'
  const targets = await outputOf('apt-get', 'indextargets', '--format', format, 'Identifier: Packages')
  const address = targets
    .split('\n')
    .find((line) => line.startsWith(`${codename} main `))
    ?.split(' ')[2]
  if (!codename || !address) throw new Error(`apt knows no source of Debian ${codename}: ${targets}`)
  return [codename, address] as const
}

/** The machine's own way to the npm registry, which only the base of the build names. The image does not keep it. */
const networkSettings = async (root: string) => {
  const settings = ['--env', `NPM_CONFIG_REGISTRY=${await outputOf('npm', 'config', 'get', 'registry')}`]
  if (!existsSync(certificates)) return settings
  mkdirSync(join(root, 'etc/ssl/certs'), { recursive: true })
  copyFileSync(certificates, join(root, certificates))
  return [...settings, '--env', `NODE_EXTRA_CA_CERTS=${certificates}`]
}

type MakeBase = (name: string, contents: string, settings: readonly string[]) => Promise<unknown>

/** Makes both: a small Debian with this very Bun, and the C library alone. @returns the folder of the latter */
const makeBases = async (folder: string, make: MakeBase) => {
  const [debian, libcAlone] = [join(folder, 'debian'), join(folder, 'libc')]
  const [codename, address] = await debianSource()
  await outputOf('debootstrap', '--variant=minbase', codename, debian, address)
  const [libc = ''] = [...new Glob('var/cache/apt/archives/libc6_*.deb').scanSync(debian)]
  await outputOf('dpkg-deb', '--extract', join(debian, libc), libcAlone)
  await make(bases.runtime, libcAlone, [])

  for (const part of ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/locale'])
    rmSync(join(debian, part), { recursive: true })
  copyFileSync(process.execPath, join(debian, 'usr/local/bin/bun'))
  const path = ['--env', 'PATH=/usr/local/bin:/usr/bin:/bin']
  await make(bases.build, debian, [...path, ...(await networkSettings(debian))])
  return libcAlone
}

/** Builds with images of its own, which nothing on the machine sees. */
const createBuilder = (folder: string) => {
  const storage = ['--root', join(folder, 'images'), '--runroot', join(folder, 'run')]
  const words = ['env', `TMPDIR=${folder}`, 'buildah', ...storage, '--storage-driver', 'overlay']
  const buildah = (...args: string[]) => outputOf(...words, ...args)
  return {
    /** Makes an image of a folder; `settings` are words for `buildah config`. */
    makeBase: async (name: string, contents: string, settings: readonly string[]) => {
      const container = await buildah('from', 'scratch')
      await buildah('copy', '--quiet', container, contents, '/')
      await buildah('config', ...settings, container)
      await buildah('commit', '--quiet', '--rm', container, name)
    },
    /** Builds the Dockerfile, in Docker's format, for OCI's has no health check. */
    build: (tag: string, args: Readonly<Record<string, string>> = {}) => {
      const given = { BUILD_BASE: bases.build, RUNTIME_BASE: bases.runtime, REVISION: 'a-revision', ...args }
      const pairs = Object.entries(given).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`])
      const flags = ['--isolation', 'chroot', '--format', 'docker', '--pull-never', '--layers', '--tag', tag]
      return attempt([...words, 'build', ...flags, ...pairs, repository])
    },
    configOf: async (image: string): Promise<ImageConfig> =>
      JSON.parse(await buildah('inspect', '--type', 'image', image)).Docker.config,
    /** A folder that holds what a container of this image sees. */
    mount: async (image: string) => buildah('mount', await buildah('from', '--pull-never', image)),
  }
}

/** Builds the image of the Dockerfile on bases made here, in memory: making a Debian is mostly waiting for the disk. */
export const makeImage = async () => {
  const folder = temporaryFolder()
  await outputOf('mount', '-t', 'tmpfs', '-o', 'size=4g,mode=755', 'tmpfs', folder)
  /** Lets go of what was mounted inside as well. */
  const remove = () => outputOf('umount', '--recursive', folder)
  try {
    const { makeBase, build, configOf, mount } = createBuilder(folder)
    const libcAlone = await makeBases(folder, makeBase)
    const image = 'localhost/shortcrust'
    const { code, stdout, stderr } = await build(image)
    if (code !== 0) throw new Error(`the build failed:\n${stdout}\n${stderr}`)
    const [config, root] = [await configOf(image), await mount(image)]
    /** `root` is what a container sees, `libcAlone` all that its base holds. */
    return { folder, build, mount, config, root, libcAlone, remove }
  } catch (error) {
    await remove()
    throw error
  }
}
export type MadeImage = Awaited<ReturnType<typeof makeImage>>
