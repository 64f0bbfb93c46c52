import { createHash } from 'node:crypto'
import { type LockedPackage, resolve } from './lock-file.ts'

export type SbomParts = {
  name: string
  version: string
  license: string
  /** What the program itself imports, development included. */
  dependencies: readonly string[]
  packages: readonly LockedPackage[]
  /** Keys of packages that are in the executable. */
  shipped: ReadonlySet<string>
  /** Keys of the packages that hold Bun itself, one for each target. */
  runtimes: ReadonlySet<string>
  /** An SPDX identifier or expression, where it is known. */
  licenseOf: (key: string) => string | undefined
  /** When the commit was made. */
  madeAt: Date
}

const purlOf = ({ name, version }: LockedPackage) => `pkg:npm/${name.replace('@', '%40')}@${version}`

const hashesOf = ({ integrity }: LockedPackage) => [
  { alg: 'SHA-512', content: Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex') },
]

const licensesOf = (license: string | undefined) => {
  if (!license) return undefined
  return / (OR|AND|WITH) /.test(license) ? [{ expression: license }] : [{ license: { id: license } }]
}

const byRef = (a: { ref: string }, b: { ref: string }) => (a.ref < b.ref ? -1 : 1)

/** Two entries of the lock file may be the same version of the same package. */
const uniqueBy = <T>(items: readonly T[], keyOf: (item: T) => string) => [
  ...new Map(items.map((item) => [keyOf(item), item])).values(),
]

const componentsOf = ({ packages, shipped, runtimes, licenseOf }: SbomParts) => {
  const isShipped = (key: string) => shipped.has(key) || runtimes.has(key)
  const shippedPurls = new Set(packages.filter(({ key }) => isShipped(key)).map(purlOf))
  const components = packages.map((one) => {
    const ref = purlOf(one)
    return {
      ref,
      type: runtimes.has(one.key) ? 'platform' : 'library',
      scope: shippedPurls.has(ref) ? 'required' : 'excluded',
      hashes: hashesOf(one),
      licenses: licensesOf(licenseOf(one.key)),
      name: one.name,
      version: one.version,
    }
  })
  return uniqueBy(components, ({ ref }) => ref)
    .sort(byRef)
    .map(({ ref, type, name, version, scope, hashes, licenses }) => ({
      type,
      'bom-ref': ref,
      name,
      version,
      scope,
      hashes,
      licenses,
      purl: ref,
    }))
}

const dependenciesOf = ({ packages, dependencies, runtimes }: SbomParts, root: string) => {
  const purls = new Map(packages.map((one) => [one.key, purlOf(one)]))
  const keys: ReadonlySet<string> = new Set(purls.keys())
  const refs = (importer: string, names: readonly string[]) => {
    const found = names.map((name) => purls.get(resolve(keys, importer, name) ?? ''))
    return [...new Set(found.filter((ref) => ref !== undefined))].sort()
  }
  const all = [
    { ref: root, dependsOn: refs('', [...dependencies, ...runtimes]) },
    ...packages.map((one) => ({ ref: purlOf(one), dependsOn: refs(one.key, one.dependencies) })),
  ]
  return uniqueBy(all, ({ ref }) => ref).sort(byRef)
}

/** A random UUID would make every SBOM another one: this is one of version 8, made of the content. */
const uuidOf = (content: string) => {
  const hash = createHash('sha256').update(content).digest('hex')
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}

/** The bill of materials, CycloneDX 1.6 as JSON: the same parts give the same text. */
export const createSbom = (parts: SbomParts): string => {
  const root = `pkg:generic/${parts.name}@${parts.version}`
  const content = {
    metadata: {
      timestamp: parts.madeAt.toISOString(),
      component: {
        type: 'application',
        'bom-ref': root,
        name: parts.name,
        version: parts.version,
        licenses: licensesOf(parts.license),
        purl: root,
      },
    },
    components: componentsOf(parts),
    dependencies: dependenciesOf(parts, root),
  }
  const head = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`,
    version: 1,
  }
  return `${JSON.stringify({ ...head, ...content }, null, 2)}\n`
}
