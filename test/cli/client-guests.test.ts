import { describe, expect, test } from 'bun:test'
import { withServer } from '../support/server.ts'
import { newUser } from '../support/user.ts'

const inPlay = withServer({ args: ['--guest-from', '127.0.0.0/8', '--guest-key', 'environment'] })
const strict = withServer()
const closed = withServer({ args: ['--guest-from', '127.0.0.0/8', '--guest-key', 'nobody'] })

const at = (url: string) => ({ env: { SHORTCRUST_SERVER: url } })

describe('the command line without a key', () => {
  test('pastes, shortens and deletes where the server takes guests', async () => {
    const { url } = inPlay.server
    const user = newUser()
    const pasted = await user.run(['paste', 'bunfig.toml', '--json'], at(url))
    expect(pasted).toMatchObject({ code: 0, stderr: '' })
    const { pasteUrl, deletionUrl } = JSON.parse(pasted.stdout)
    expect((await fetch(pasteUrl)).status).toBe(200)
    expect(await user.run(['shorten', 'https://example.org/'], at(url))).toMatchObject({ code: 0 })
    expect(await user.run(['delete', deletionUrl], at(url))).toMatchObject({ code: 0 })
  })

  test('asks for one, and names what was not sent, where the server does not', async () => {
    const { url } = strict.server
    const { code, stdout, stderr } = await newUser().run(['paste', 'package.json', 'bunfig.toml'], at(url))
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(
      /^shortcrust: package\.json: no API key is known for http:\S+: run shortcrust login .*; the server says: The header "key" .*\nshortcrust: not sent: bunfig\.toml\.\n$/,
    )
  })

  test('prints why the server takes no guests at the moment', async () => {
    const { code, stderr } = await newUser().run(['paste', 'bunfig.toml'], at(closed.server.url))
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /no API key is known for .*; the server says: .*"nobody".* shortcrust keys add nobody\n$/,
    )
  })

  test.each(['list', 'get some-name', 'export -'])(
    'says that %s needs one, also to a guest',
    async (words) => {
      const { code, stderr } = await newUser().run(words.split(' '), at(inPlay.server.url))
      expect(code).toBe(2)
      expect(stderr).toContain('no API key is known for')
    },
  )
})
