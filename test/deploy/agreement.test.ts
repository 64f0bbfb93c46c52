import { describe, expect, test } from 'bun:test'
import { license, version } from '../../package.json' with { type: 'json' }
import { placeholders } from '../../scripts/release/deploy-files.ts'
import { settings } from '../../src/settings/config.ts'
import { deployFiles, image, read, variables } from '../support/deploy.ts'

const files = deployFiles.map((path) => ({ path, text: read(path) }))
/** Each match of a pattern in any of the files, with the file. */
const found = (pattern: RegExp) =>
  files.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(([whole, part = whole]) => ({ path, part })),
  )

describe('the files of deploy/', () => {
  test('name no setting that does not exist', () => {
    const named = found(/\bSHORTCRUST_[A-Z_]+/g)
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter(({ part }) => !variables.includes(part))).toEqual([])
  })

  test('give no flag that does not exist', () => {
    const flags = Object.values(settings).map(({ flag }) => `--${flag}`)
    const given = files
      .filter(({ path }) => /nginx|Caddyfile|traefik/.test(path))
      .flatMap(({ text }) => text.match(/(?<=^\s*#.*)--[a-z-]+/gm) ?? [])
    expect(given.length).toBeGreaterThan(0)
    expect(given.filter((flag) => !flags.includes(flag))).toEqual([])
  })

  test('agree with package.json on the version, wherever they name one', () => {
    const named = [
      ...found(/\bshortcrust:(\d[\w.]*)/g),
      ...found(/shortcrust-(\d[\d.]*\d)-/g),
      ...found(/^\s*(?:version|pkgver)\s*[=:]?\s*"?(\d+\.\d+\.\d+)"?;?$/gm),
      ...found(/^\s*pkgver = (\S+)$/gm),
    ]
    expect(new Set(named.map(({ path }) => path)).size).toBeGreaterThanOrEqual(9)
    expect(named.filter(({ part }) => part !== version)).toEqual([])
  })

  test('agree with package.json on the licence', () => {
    const named = found(/^\s*license\b\W+(?:lib\.licenses\.)?(\w+)/gm)
    expect(named.map(({ part }) => part.toUpperCase())).toEqual(named.map(() => license))
    expect(named.length).toBe(4)
  })

  test('keep everything in the folder of the image', () => {
    expect(settings.port.default).toBe(String(image.port))
    const mounts = [
      ...found(/^\s*(?:target|mountPath): (\/\S+)$/gm),
      ...found(/^\s*- \S+:(\/\S+)$/gm),
      ...found(/^Volume=\S+:(\S+)$/gm),
      ...found(/Target="(\/[^"]+)"/g),
    ].filter(({ part, path }) => !part.startsWith('/run/secrets') && path !== 'deploy/postgres/compose.yaml')
    expect(mounts.map(({ path }) => path.split('/').at(-2)).sort()).toEqual(
      ['casaos', 'kubernetes', 'podman', 'umbrel', 'unraid', undefined].sort(),
    )
    expect(mounts.filter(({ part }) => part !== image.data)).toEqual([])
  })

  test('hold no API key', () => {
    const given = found(/SHORTCRUST_API_KEY(?!_FILE)\b["']?\s*[:=]\s*(\S+)/g)
    expect(given.map(({ part }) => part).filter((value) => !/^(""|\$\{APP_PASSWORD\})$/.test(value))).toEqual(
      [],
    )
    expect(found(/\bsc_\w{8,}/g)).toEqual([])
  })

  test('name no address but examples, which a release replaces', () => {
    const addresses = found(/\bhttps?:\/\/([\w.[\]-]+)/g).filter(
      ({ part }) => !/^(127\.0\.0\.1|nas|tower|shortcrust|\[IP\]|(?:[a-z]+\.)?example\.org|)$/.test(part),
    )
    expect(addresses).toEqual([])
    const images = [...found(/^\s*(?:image:|Image=) ?(\S+)$/gm), ...found(/<Repository>([^<]+)</g)]
    expect(images).toHaveLength(10)
    const others = /^docker\.io\/library\/(?:caddy|postgres):[\d.]+-[a-z]+$/
    for (const { part } of images)
      expect(
        part
          .replace(/^\$\{IMAGE:-shortcrust\}$/, '')
          .replace(others, '')
          .replace(placeholders.image, ''),
      ).toBe('')
  })
})
