import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Glob } from 'bun'
import { version } from '../../package.json' with { type: 'json' }

/** What files of `deploy/` name in place of what only the publisher of a release knows. */
export const placeholders = {
  /** Where the files of a release are. */
  address: 'https://example.org/shortcrust',
  /** The image in a registry, and as `podman build` names it. */
  image: new RegExp(
    `(?:registry\\.example\\.org|localhost)/shortcrust:${version.replaceAll('.', '\\.')}`,
    'g',
  ),
  /** The SHA-256 of the archive of a target. */
  sum: /@sha256:([\w-]+)@/g,
} as const

type Published = {
  /** SHA-256 of each file of the release, by its name. */
  sums: ReadonlyMap<string, string>
  address: string | undefined
  image: string | undefined
}

/**
 * Puts what is known into a file of `deploy/`.
 * @throws {Error} if the file needs an archive that this release has not
 */
export const fillIn = (text: string, { sums, address, image }: Published) =>
  text
    .replace(placeholders.sum, (_, target) => {
      const archive = `shortcrust-${version}-${target}.tar.gz`
      const sum = sums.get(archive)
      if (!sum) throw new Error(`no sum of ${archive}`)
      return sum
    })
    .replaceAll(placeholders.address, () => address ?? placeholders.address)
    .replace(placeholders.image, (named) => image ?? named)

const sources = new Glob('deploy/*/**')

/** A picture has nothing to fill in. */
const filled = (path: string, published: Published) =>
  path.endsWith('.png') ? readFileSync(path) : fillIn(readFileSync(path, 'utf8'), published)

/** Writes the folders of `deploy/`, filled in, below `folder`, with the icons that they name. */
export const writeDeployFiles = (folder: string, published: Published) => {
  const put = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  for (const path of sources.scanSync({ dot: true })) put(path, filled(path, published))
  put('deploy/icon.svg', readFileSync('views/icon.svg', 'utf8'))
}
