import { readFileSync } from 'node:fs'
import type { ArchiveFile } from '../archive.ts'

/** A file of a package. Where `isSetting`, it is the administrator's once it was changed: no upgrade replaces it. */
export type PackageFile = ArchiveFile & { isSetting?: boolean }

/** What both kinds of packages are made from. */
export type PackageParts = {
  name: string
  /** As in package.json. */
  version: string
  /** One line, without a full stop. */
  summary: string
  license: string
  /** The program, compiled. */
  executable: Uint8Array<ArrayBuffer>
  /** The scripts of `shortcrust completions`. */
  completions: Record<'bash' | 'zsh' | 'fish', string>
  madeAt: Date
}

/** The C library that Bun asks for; the check of a release looks at the executables. */
export const oldestLibc = '2.17'

/** Both kinds of packages sort `~` below nothing, so that 1.2.0-rc.1 is upgraded to 1.2.0. */
export const packageVersion = (version: string) => version.replace('-', '~')

const textOf = (path: string) => readFileSync(path, 'utf8')
const folder = 'deploy/packages'

/** A script of the packages; the one that runs once the files are in place begins with what both kinds share. */
export const scriptOf = (file: string) => textOf(`${folder}/${file}.sh`)
export const firstScriptOf = (file: string) => scriptOf('account') + scriptOf(file)

/** The unit of deploy/, for a program where packages put it. */
const unit = () => {
  const [before, after, ...more] = textOf('deploy/shortcrust.service').split('/usr/local/bin/')
  if (after === undefined || more.length)
    throw new Error('deploy/shortcrust.service names its program elsewhere')
  return `${before}/usr/bin/${after}`
}

/** Every file of a package, by its path; shells for zsh look into another folder in each kind. */
export const packageFiles = (
  { name, executable, completions }: PackageParts,
  zshFolder: string,
): PackageFile[] => {
  const file = (path: string, text: string): PackageFile => ({
    name: path,
    mode: 0o644,
    bytes: new TextEncoder().encode(text),
  })
  return [
    { ...file(`etc/${name}.env`, textOf(`${folder}/${name}.env`)), mode: 0o640, isSetting: true },
    { name: `usr/bin/${name}`, mode: 0o755, bytes: executable },
    file(`usr/lib/systemd/system/${name}.service`, unit()),
    file(`usr/share/bash-completion/completions/${name}`, completions.bash),
    file(`usr/share/doc/${name}/README.md`, textOf('README.md')),
    // The name that slimmed systems keep when they drop the rest of /usr/share/doc.
    file(`usr/share/doc/${name}/copyright`, textOf('LICENSE')),
    file(`usr/share/fish/vendor_completions.d/${name}.fish`, completions.fish),
    file(`usr/share/zsh/${zshFolder}/_${name}`, completions.zsh),
  ]
}

/** The folders above files, outermost first. */
export const foldersOf = (files: readonly PackageFile[]) => {
  const parents = files.flatMap(({ name }) => {
    const parts = name.split('/')
    return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
  })
  return [...new Set(parents)].sort()
}
