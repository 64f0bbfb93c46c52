import { describe, expect, test } from 'bun:test'
import { curl } from '../../src/describe/outline.ts'

/** The arguments that a shell hands to curl. */
const argumentsOf = (command: string) => {
  const { stdout } = Bun.spawnSync(['sh', '-c', command.replace('curl', String.raw`printf '%s\0'`)])
  return String(stdout).split('\0').slice(0, -1)
}

describe('a curl command', () => {
  test('is one that a shell reads as it was meant', () => {
    const json = { text: `it's "$HOME" \`id\` \\ !` }
    const command = curl({ url: 'http://nas/a?b=c&d', headers: { key: "a'b" }, json })
    expect(argumentsOf(command)).toEqual([
      'http://nas/a?b=c&d',
      '-H',
      "key: a'b",
      '-H',
      'Content-Type: application/json',
      '-d',
      JSON.stringify(json),
    ])
  })

  test('sends a form field by field, and says a method that curl would not choose', () => {
    const form = { create: 'link', url: 'https://example.org/' }
    expect(curl({ url: 'http://nas/', method: 'PUT', form })).toBe(
      "curl http://nas/ \\\n  -X PUT \\\n  -F 'create=link' \\\n  -F 'url=https://example.org/'",
    )
  })
})
