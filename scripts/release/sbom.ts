import { createHash } from 'node:crypto'
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
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

const hashesOf = ({ integrity }: LockedPackage) => {
  const content = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex')
  return new Models.HashDictionary([[Enums.HashAlgorithm['SHA-512'], content]])
}

const licensesOf = (license: string | undefined) => {
  if (!license) return new Models.LicenseRepository()
  const isExpression = / (OR|AND|WITH) /.test(license)
  const one = isExpression ? new Models.LicenseExpression(license) : new Models.SpdxLicense(license)
  return new Models.LicenseRepository([one])
}

/** Every package as a component. Two entries of the lock file may be the same version of the same package. */
const componentsOf = ({ packages, shipped, runtimes, licenseOf }: SbomParts) => {
  const isShipped = ({ key }: LockedPackage) => shipped.has(key) || runtimes.has(key)
  const shippedPurls = new Set(packages.filter(isShipped).map(purlOf))
  const components = packages.map((one) => {
    const purl = purlOf(one)
    const type = runtimes.has(one.key) ? Enums.ComponentType.Platform : Enums.ComponentType.Library
    return new Models.Component(type, one.name, {
      version: one.version,
      bomRef: purl,
      purl,
      scope: shippedPurls.has(purl) ? Enums.ComponentScope.Required : Enums.ComponentScope.Excluded,
      hashes: hashesOf(one),
      licenses: licensesOf(licenseOf(one.key)),
    })
  })
  const byPurl = new Map(components.map((one) => [one.purl as string, one]))
  return new Map([...byPurl].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Says of each package, and of the program itself, which ones it needs. */
const addDependencies = (
  { packages, dependencies, runtimes }: SbomParts,
  root: Models.Component,
  components: ReadonlyMap<string, Models.Component>,
) => {
  const purls = new Map(packages.map((one) => [one.key, purlOf(one)]))
  const keys: ReadonlySet<string> = new Set(purls.keys())
  const add = (to: Models.Component | undefined, importer: string, names: readonly string[]) => {
    const needed = names.map((name) => purls.get(resolve(keys, importer, name) ?? '') ?? '').sort()
    for (const purl of needed) {
      const ref = components.get(purl)?.bomRef
      if (ref) to?.dependencies.add(ref)
    }
  }
  add(root, '', [...dependencies, ...runtimes])
  for (const one of packages) add(components.get(purlOf(one)), one.key, one.dependencies)
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
  const { name, version, license, madeAt } = parts
  const purl = `pkg:generic/${name}@${version}`
  const licenses = licensesOf(license)
  const root = new Models.Component(Enums.ComponentType.Application, name, {
    version,
    bomRef: purl,
    purl,
    licenses,
  })
  const components = componentsOf(parts)
  addDependencies(parts, root, components)
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ timestamp: madeAt, component: root }),
    components: new Models.ComponentRepository(components.values()),
  })
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  bom.serialNumber = `urn:uuid:${uuidOf(serializer.serialize(bom))}`
  return `${serializer.serialize(bom, { space: 2 })}\n`
}
