/** What a processor is called in each kind of package. */
export type PackageArchitecture = { deb: 'amd64' | 'arm64'; rpm: 'x86_64' | 'aarch64' }

/** One platform of a release. */
export type Target = {
  /** As in the names of archives. */
  name: string
  /** What `bun build --target` calls it. */
  bun: string
  /** The package that holds Bun for it, by the lock file. */
  runtime: string
  /** Of executables. */
  extension: '' | '.exe'
  /** Where there are .deb and .rpm packages. */
  architecture?: PackageArchitecture
}

const target = (name: string, bun: string, runtime = bun, extension: Target['extension'] = ''): Target => ({
  name,
  bun,
  runtime: `@oven/${runtime}`,
  extension,
})

/** Every platform of a release. Bun's x64 builds need no newer CPU than Nehalem (2008), so there is none beside them for old ones. */
export const targets: readonly Target[] = [
  { ...target('linux-x64', 'bun-linux-x64'), architecture: { deb: 'amd64', rpm: 'x86_64' } },
  {
    ...target('linux-arm64', 'bun-linux-arm64', 'bun-linux-aarch64'),
    architecture: { deb: 'arm64', rpm: 'aarch64' },
  },
  target('linux-x64-musl', 'bun-linux-x64-musl'),
  target('linux-arm64-musl', 'bun-linux-arm64-musl', 'bun-linux-aarch64-musl'),
  target('macos-arm64', 'bun-darwin-arm64', 'bun-darwin-aarch64'),
  target('macos-x64', 'bun-darwin-x64'),
  target('windows-x64', 'bun-windows-x64', 'bun-windows-x64', '.exe'),
]

/** The files in each archive beside the executable: paths in the repository, under their base names in the archive. */
export const documents: readonly string[] = ['README.md', 'LICENSE', 'deploy/shortcrust.service']
