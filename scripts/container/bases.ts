import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import type { Buildah } from './buildah.ts'
import { outputOf } from './commands.ts'

/** Stand-ins for the bases that the Dockerfile names, made of Debian's packages: no registry of images is asked. */
export const bases = { build: 'localhost/build-base', runtime: 'localhost/runtime-base' }

const certificates = '/etc/ssl/certs/ca-certificates.crt'

/** The release and the address from which this machine's apt takes its packages. */
const debianSource = async () => {
  const codename = /^VERSION_CODENAME=(.*)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
  const format = '$(CODENAME) $(COMPONENT) $(REPO_URI)'
  const targets = await outputOf(['apt-get', 'indextargets', '--format', format, 'Identifier: Packages'])
  const lines = targets.split('\n').map((line) => line.split(' '))
  const line = lines.find(([release, component]) => release === codename && component === 'main')
  if (!codename || !line?.[2]) throw new Error(`apt knows no source of Debian ${codename}: ${targets}`)
  return { codename, address: line[2] }
}

/** The machine's own way to the npm registry, told to the build by its base and by nothing that is kept. */
const networkSettings = async (root: string) => {
  const registry = await outputOf(['npm', 'config', 'get', 'registry'])
  const settings = ['--env', `NPM_CONFIG_REGISTRY=${registry}`]
  if (!existsSync(certificates)) return settings
  mkdirSync(join(root, 'etc/ssl/certs'), { recursive: true })
  copyFileSync(certificates, join(root, certificates))
  return [...settings, '--env', `NODE_EXTRA_CA_CERTS=${certificates}`]
}

/** Makes both: a small Debian with this very Bun, and the C library alone. */
export const makeBases = async (buildah: Buildah, folder: string) => {
  const debian = join(folder, 'debian')
  const { codename, address } = await debianSource()
  await outputOf(['debootstrap', '--variant=minbase', codename, debian, address])

  const archives = join(debian, 'var/cache/apt/archives')
  const [libc] = [...new Glob('libc6_*.deb').scanSync(archives)]
  const libcAlone = join(folder, 'libc')
  await outputOf(['dpkg-deb', '--extract', join(archives, libc ?? 'libc6.deb'), libcAlone])
  await buildah.makeImage(bases.runtime, libcAlone, [])

  for (const part of ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/locale'])
    rmSync(join(debian, part), { recursive: true })
  copyFileSync(process.execPath, join(debian, 'usr/local/bin/bun'))
  await buildah.makeImage(bases.build, debian, [
    '--env',
    'PATH=/usr/local/bin:/usr/bin:/bin',
    ...(await networkSettings(debian)),
  ])
  return { libcAlone }
}
