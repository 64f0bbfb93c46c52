import { type PackageParts, packageVersion } from './contents.ts'
import { packDeb } from './deb.ts'
import { packRpm, rpmName } from './rpm.ts'

/** What a processor is called in each kind of package. */
export type PackageArchitecture = { deb: 'amd64' | 'arm64'; rpm: 'x86_64' | 'aarch64' }

/** The packages of one executable for Linux, by the names of their files. */
export const makePackages = async (parts: PackageParts, { deb, rpm }: PackageArchitecture) =>
  [
    [`${parts.name}_${packageVersion(parts.version)}_${deb}.deb`, await packDeb(parts, deb)],
    [rpmName(parts, rpm), packRpm(parts, rpm)],
  ] as const

const shells = ['bash', 'zsh', 'fish'] as const

/** What `shortcrust completions` prints for each shell. */
export const readCompletions = () => {
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
