import { cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { keyOf, type Package, packages, type Registry } from './packages.ts'

/** Where packages are unpacked; git ignores it. */
export const folder = 'dist/corpus'

/** The folder of an unpacked package. */
export const folderOf = (one: Package) => join(folder, 'packages', keyOf(one).replaceAll('/', '+'))

const run = async (command: readonly string[], cwd: string, env: Record<string, string> = {}) => {
  const child = Bun.spawn([...command], {
    ...{ cwd, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
    env: { ...process.env, ...env },
  })
  const complaint = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${complaint.trim().slice(-400)}`)
}

const unpack = async (from: string, to: string) => {
  for (const name of (await readdir(from)).sort()) {
    const file = join(from, name)
    if (name.endsWith('.deb')) await run(['dpkg-deb', '-x', file, to], '.')
    if (/\.(tgz|tar\.(gz|xz|bz2))$/.test(name))
      await run(['tar', 'xf', file, '-C', to, '--no-same-owner'], '.')
  }
}

/** apt's own lists with the sources, for which the machine's settings need not be touched. */
const aptOptions = async () => {
  const home = join(process.cwd(), folder, 'apt')
  const options = [
    ...['-o', 'Dir::Etc::SourceList=/dev/null', '-o', `Dir::Etc::SourceParts=${home}/sources`],
    ...['-o', `Dir::State::Lists=${home}/lists`, '-o', `Dir::Cache=${home}/cache`],
    ...['-o', 'APT::Sandbox::User=root'],
  ]
  if (!(await stat(join(home, 'lists')).catch(() => undefined))) {
    for (const name of ['sources', 'lists/partial', 'cache/archives/partial'])
      await mkdir(join(home, name), { recursive: true })
    const own = await Bun.file('/etc/apt/sources.list.d/debian.sources').text()
    await Bun.write(join(home, 'sources/corpus.sources'), own.replace(/^Types: deb$/gm, 'Types: deb deb-src'))
    await run(['apt-get', ...options, 'update'], '.')
  }
  return options
}

/** A crate and a module of Go come unpacked by their client, everything else as an archive. */
const download: Readonly<Record<Registry, (one: Package, to: string) => Promise<void>>> = {
  deb: async ({ name, version }, to) =>
    run(['apt-get', ...(await aptOptions()), 'download', '-qq', `${name}=${version}`], to),
  source: async ({ name, version }, to) =>
    run(['apt-get', ...(await aptOptions()), 'source', '--download-only', '-qq', `${name}=${version}`], to),
  npm: ({ name, version }, to) => run(['npm', 'pack', '--silent', `${name}@${version}`], to),
  pip: ({ name, version }, to) =>
    run(['pip', 'download', '-q', '--no-deps', '--no-binary', ':all:', `${name}==${version}`], to),
  crate: async ({ name, version }, to) => {
    const manifest = `[package]\nname = "c"\nversion = "0.0.0"\n[lib]\npath = "c.rs"\n[dependencies]\n${name} = "=${version}"\n`
    await Bun.write(join(to, 'Cargo.toml'), manifest)
    await Bun.write(join(to, 'c.rs'), '')
    await run(['cargo', 'vendor', '-q', 'all'], to)
    await rename(join(to, 'all', name), join(to, 'one'))
    await rm(join(to, 'all'), { recursive: true })
  },
  go: async ({ name, version }, to) => {
    const path = join(process.cwd(), folder, 'go')
    // A module may ask for a newer Go, which only matters to somebody who builds it.
    const fetching = run(['go', 'mod', 'download', `${name}@${version}`], to, {
      GOPATH: path,
      GOFLAGS: '-mod=mod',
    })
    const source = join(
      path,
      'pkg/mod',
      `${name.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`)}@${version}`,
    )
    await fetching.catch(async (error) => {
      if (!(await stat(source).catch(() => undefined))) throw error
    })
    await cp(source, join(to, 'one'), { recursive: true })
  },
}

const fetchOne = async (one: Package) => {
  const to = folderOf(one)
  if (await stat(to).catch(() => undefined)) return
  const work = `${to}.part`
  await rm(work, { recursive: true, force: true })
  await mkdir(join(work, 'archives'), { recursive: true })
  await download[one.registry](one, join(work, 'archives'))
  await unpack(join(work, 'archives'), work)
  await rename(work, to)
  console.log(`fetched ${basename(to)}`)
}

/** Downloads and unpacks what is not there yet. @throws {Error} naming every package that cannot be had */
export const fetchPackages = async () => {
  const failures: string[] = []
  for (const one of packages)
    await fetchOne(one).catch((error: Error) => failures.push(`${keyOf(one)}: ${error.message}`))
  if (failures.length > 0) throw new Error(`not fetched:\n${failures.join('\n')}`)
}
