/** One entry of bun.lock. */
export type LockedPackage = {
  /** `a`, or `a/b` for a version of `b` that only `a` uses. */
  key: string
  name: string
  version: string
  /** Names of packages, as an importer writes them. */
  dependencies: readonly string[]
  /** `sha512-` and base64. */
  integrity: string
  /** Whether it installs on some platforms only. */
  isForOnePlatform: boolean
  /** As bun.lock holds it. */
  entry: LockEntry
}

type LockEntry = readonly [
  nameAndVersion: string,
  registry: string,
  details: {
    dependencies?: Record<string, string>
    optionalDependencies?: Record<string, string>
    os?: unknown
    cpu?: unknown
  },
  integrity: string,
]

export type LockFile = {
  lockfileVersion: number
  configVersion: number
  packages: readonly LockedPackage[]
}

/** Reads the text of bun.lock, which allows trailing commas. */
export const parseLockFile = (text: string): LockFile => {
  const { lockfileVersion, configVersion, packages } = Bun.JSONC.parse(text) as {
    lockfileVersion: number
    configVersion: number
    packages: Record<string, LockEntry>
  }
  return {
    lockfileVersion,
    configVersion,
    packages: Object.entries(packages).map(([key, entry]) => {
      const [nameAndVersion, , details, integrity] = entry
      const at = nameAndVersion.lastIndexOf('@')
      return {
        key,
        name: nameAndVersion.slice(0, at),
        version: nameAndVersion.slice(at + 1),
        dependencies: Object.keys({ ...details.dependencies, ...details.optionalDependencies }),
        integrity,
        isForOnePlatform: details.os !== undefined || details.cpu !== undefined,
        entry,
      }
    }),
  }
}

const segments = (key: string) => key.match(/(@[^/]+\/)?[^/]+/g) ?? []

/** Where an entry is installed, below the repository. */
export const folderOf = (key: string) => `node_modules/${segments(key).join('/node_modules/')}`

/** The entry that a file below `node_modules` belongs to. */
export const keyOf = (path: string) =>
  path
    .split('node_modules/')
    .slice(1)
    .map((part) => segments(part)[0])
    .join('/')

/** Finds what `importer` gets when it imports `name`: its own version first, then those of the entries around it. */
export const resolve = (keys: ReadonlySet<string>, importer: string, name: string): string | undefined => {
  const around = segments(importer)
  for (let depth = around.length; depth >= 0; depth--) {
    const key = [...around.slice(0, depth), name].join('/')
    if (keys.has(key)) return key
  }
  return undefined
}

/** What `bun build --metafile` writes, as far as it is needed. */
export type Metafile = { outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }> }

/** The entries of the lock file with at least one byte in the executable. */
export const shippedKeys = ({ outputs }: Metafile): Set<string> => {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs))
  const paths = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path)
  return new Set(paths.filter((path) => path.includes('node_modules/')).map(keyOf))
}
