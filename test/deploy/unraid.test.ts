import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { image, read, variables } from '../support/deploy.ts'
import { repository } from '../support/process.ts'

const text = read('deploy/unraid/shortcrust.xml')
const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', parseTagValue: false })

type Config = Record<'Name' | 'Target' | 'Default' | 'Mode' | 'Type' | 'Mask' | 'Required', string>
type Template = Record<string, string> & { version: string; Config: (Config & { '#text'?: string })[] }
const template = (parser.parse(text) as { Container: Template }).Container
const configOf = (type: string) => template.Config.filter(({ Type }) => Type === type)

// The elements of Unraid's own dockerMan: wiki.unraid.net/DockerTemplateSchema. There is no schema.
describe('the template for Unraid', () => {
  test('is XML with the elements that Unraid reads', () => {
    expect(XMLValidator.validate(text)).toBe(true)
    const elements = [
      ...['Name', 'Repository', 'Network', 'Privileged', 'Support', 'Project', 'Overview'],
      ...['Category', 'WebUI', 'Icon', 'ExtraParams', 'Config'],
    ]
    expect(Object.keys(template).filter((name) => name !== 'version')).toEqual(elements)
    expect(template).toMatchObject({
      version: '2',
      Name: 'shortcrust',
      Network: 'bridge',
      Privileged: 'false',
    })
  })

  // `<Shell>` is what its Console starts in the container. The image has none to start.
  test('names no shell', () => {
    expect(read('docs/container.md')).toContain('no shell')
    expect(template).not.toHaveProperty('Shell')
  })

  // dockerMan keeps every icon as a file whose name ends in .png.
  test('names an icon that is a small PNG', () => {
    const [, path = ''] = /^https:\/\/example\.org\/shortcrust\/(.+\.png)$/.exec(template.Icon ?? '') ?? []
    const bytes = readFileSync(join(repository, path))
    expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([256, 256])
    expect(bytes.length).toBeLessThan(10_000)
  })

  test('has every attribute of each of its settings, and the default as the value', () => {
    const attributes = [
      'Name',
      'Target',
      'Default',
      'Mode',
      'Description',
      'Type',
      'Display',
      'Required',
      'Mask',
    ]
    for (const config of template.Config) {
      expect(Object.keys(config).filter((name) => name !== '#text')).toEqual(attributes)
      expect(config['#text'] ?? '').toBe(config.Default)
    }
  })

  test('opens the port of the image', () => {
    expect(template.WebUI).toBe(`http://[IP]:[PORT:${image.port}]/`)
    expect(configOf('Port')).toMatchObject([
      { Target: String(image.port), Default: String(image.port), Mode: 'tcp' },
    ])
  })

  test('keeps everything in one folder of appdata, as the user to whom Unraid gives it', () => {
    expect(configOf('Path')).toMatchObject([
      { Target: image.data, Default: '/mnt/user/appdata/shortcrust', Mode: 'rw', Required: 'true' },
    ])
    expect(template.ExtraParams).toContain('--user 99:100 ')
  })

  test('gives variables that are settings, hides the key and holds none', () => {
    const given = configOf('Variable')
    expect(variables).toEqual(expect.arrayContaining(given.map(({ Target }) => Target)))
    expect(given.filter(({ Mask }) => Mask === 'true')).toMatchObject([
      { Target: 'SHORTCRUST_API_KEY', Default: '', Required: 'false' },
    ])
  })

  test('runs without rights, on a root that cannot be written', () => {
    for (const flag of ['--read-only', '--cap-drop ALL', '--security-opt no-new-privileges'])
      expect(template.ExtraParams).toContain(flag)
  })
})
