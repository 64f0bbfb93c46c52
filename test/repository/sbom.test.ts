import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type LockedPackage, parseLockFile } from '../../scripts/release/lock-file.ts'
import { createSbom, type SbomParts } from '../../scripts/release/sbom.ts'
import { createSbomValidator } from '../support/cyclonedx.ts'
import { repository } from '../support/process.ts'

const { packages } = parseLockFile(readFileSync(join(repository, 'bun.lock'), 'utf8'))
const licenses: Record<string, string> = { elysia: 'MIT', '@biomejs/biome': 'MIT OR Apache-2.0' }
const parts: SbomParts = {
  name: 'shortcrust',
  version: '1.2.3',
  license: 'MIT',
  dependencies: ['elysia', 'typescript'],
  packages,
  shipped: new Set(['elysia', 'cookie']),
  runtimes: new Set(['@oven/bun-linux-x64']),
  licenseOf: (key) => licenses[key],
  madeAt: new Date('2024-02-29T12:30:00Z'),
}
const sbom = createSbom(parts)
const { components, dependencies, serialNumber, metadata } = JSON.parse(sbom)
const componentOf = (name: string) => components.find((one: { name: string }) => one.name === name)
const dependsOn = (ref: string) => dependencies.find((one: { ref: string }) => one.ref === ref)?.dependsOn

describe('the SBOM', () => {
  const validate = createSbomValidator()

  test('fits the schema of CycloneDX 1.6', () => {
    expect(validate(JSON.parse(sbom)), JSON.stringify(validate.errors)).toBe(true)
  })

  test('is checked by a schema that finds a licence which SPDX does not know, and a field which does not exist', () => {
    const unknown = createSbom({ ...parts, license: 'No such licence' })
    expect(JSON.parse(unknown).metadata.component.licenses).toEqual([
      { license: { name: 'No such licence' } },
    ])
    expect(validate(JSON.parse(unknown))).toBe(true)
    expect(validate(JSON.parse(unknown.replace('"name": "No such', '"id": "No such')))).toBe(false)
    expect(validate({ ...JSON.parse(sbom), colour: 'red' })).toBe(false)
  })

  test('holds each package of the lock file once, sorted, with its address and hash', () => {
    const purls = components.map(({ purl }: { purl: string }) => purl)
    const locked = packages.map(({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`)
    expect(purls).toEqual([...new Set(locked)].sort())
    const elysia = packages.find(({ key }) => key === 'elysia') as LockedPackage
    expect(componentOf('elysia')).toMatchObject({
      version: elysia.version,
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
      licenses: [{ license: { id: 'MIT' } }],
    })
    expect(componentOf('@biomejs/biome').licenses).toEqual([{ expression: 'MIT OR Apache-2.0' }])
    expect(componentOf('typescript').licenses).toBeUndefined()
  })

  test('requires what is in the executable, Bun included, and excludes the rest', () => {
    const required = components.filter(({ scope }: { scope: string }) => scope === 'required')
    expect(required.map(({ name }: { name: string }) => name)).toEqual([
      '@oven/bun-linux-x64',
      'cookie',
      'elysia',
    ])
    expect(componentOf('@oven/bun-linux-x64').type).toBe('platform')
    expect(componentOf('typescript').scope).toBe('excluded')
  })

  test('says which package needs which', () => {
    const root = metadata.component['bom-ref']
    expect(dependsOn(root)).toEqual([
      componentOf('@oven/bun-linux-x64').purl,
      componentOf('elysia').purl,
      componentOf('typescript').purl,
    ])
    expect(dependsOn(componentOf('elysia').purl)).toContain(componentOf('cookie').purl)
  })

  test('is the same text for the same parts, and has another serial number for others', () => {
    expect(createSbom(parts)).toBe(sbom)
    expect(createSbom({ ...parts, version: '1.2.4' })).not.toContain(serialNumber)
    expect(metadata.timestamp).toBe('2024-02-29T12:30:00.000Z')
  })
})
