import { beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { examplePaste } from '../support/client.ts'
import { run, target, temporaryFolder, testKey } from '../support/process.ts'
import { quiet, withServer } from '../support/server.ts'
import { openTerminal } from '../support/terminal.ts'
import { failure, newUser } from '../support/user.ts'

const user = newUser()
const { server, client } = withServer({ args: quiet })
beforeAll(async () => {
  await user.logIn(server.url)
})

const change = (path: string, body: object) =>
  fetch(server.url + path, {
    method: 'PATCH',
    headers: { key: testKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

/** A paste that had each of these texts in turn. */
const pasteOf = async (alias: string, [first = '', ...others]: readonly string[]) => {
  await client.paste({ text: first, alias })
  for (const text of others) await change(`/pastes/${alias}`, { text })
}

/** The same lines in another order, which takes the longest to compare. */
const differing = [7919, 104_729].map((step) =>
  Array.from({ length: 40_000 }, (_, at) => (at * step) % 40_000).join('\n'),
)

describe('shortcrust diff', () => {
  test('compares the version before the newest with it, as a unified diff', async () => {
    await pasteOf('lines', ['zero\n', 'one\ntwo\nthree\n', 'one\n2\nthree\nfour'])
    expect(await user.run(['diff', 'lines'])).toEqual({
      code: 0,
      stdout: `--- ${server.url}/p/lines\tversion 2
+++ ${server.url}/p/lines\tversion 3
@@ -1,3 +1,4 @@
 one
-two
+2
 three
+four
\\ No newline at end of file
`,
      stderr: '',
    })
  })

  test('compares an earlier version with --from, and short links', async () => {
    await pasteOf('from', ['one\n', 'two\n', 'three\n'])
    expect((await user.run(['diff', 'from', '--from', '1'])).stdout).toContain('\n-one\n+three\n')
    await client.link('https://example.org/1', { alias: 'target' })
    await change('/links/target', { url: 'https://example.org/2' })
    expect((await user.run(['diff', 'target'])).stdout).toContain(
      '\n-https://example.org/1\n+https://example.org/2\n',
    )
  })

  test('is a patch that brings the newest text from the earlier one, to the byte', async () => {
    const texts = ['a\r\n\x1b[31mred\n\tx\n'.repeat(30), 'a\r\n\x1b[31mred\n\ty\n'.repeat(30)] as const
    await pasteOf('patched', texts)
    const file = join(temporaryFolder(), 'text')
    writeFileSync(file, texts[0])
    const { stdout } = await user.run(['diff', 'patched'])
    expect(Bun.spawnSync(['patch', '--binary', file], { stdin: Buffer.from(stdout) }).exitCode).toBe(0)
    expect(await Bun.file(file).text()).toBe(texts[1])
  })

  test('says where the content is the same, and prints nothing', async () => {
    await client.paste({ text: 'one\n', alias: 'titled', title: '' })
    await change('/pastes/titled', { title: 'New' })
    expect(await user.run(['diff', 'titled'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'version 1 has the same content as the newest\n',
    })
  })

  test('says what cannot be compared, and what is no version', async () => {
    await client.paste({ text: 'one\n', alias: 'unchanged' })
    expect(await user.run(['diff', 'unchanged'])).toEqual(
      failure(1, /no earlier version of \S+unchanged is kept/),
    )
    expect(await user.run(['diff', 'unchanged', '--from', '7'])).toEqual(
      failure(1, /Version 7 of this paste is not kept/),
    )
    expect(await user.run(['diff', 'unchanged', '--from', 'x'])).toEqual(
      failure(2, /--from: expected the number/),
    )
    await pasteOf('different', differing)
    expect(await user.run(['diff', 'different'])).toEqual(failure(1, /differ too much/))
  })
})

describe('shortcrust diff at a terminal', () => {
  const screenOf = async (env = {}) => {
    const { screen, exited } = user.atTerminal(['diff', 'hostile'], env)
    expect(await exited).toBe(0)
    await screen.waitFor(/of the end/)
    return screen.text().replaceAll('\r\n', '\n')
  }

  beforeAll(() => pasteOf('hostile', ['one\n', '\tone\x1b[2J\x9b31m\u202e\x07\r\n-- x\nof the end\n']))

  test('is coloured, without a control character of the text except tabs', async () => {
    const text = await screenOf()
    expect(text).toContain('\x1b[31m-one\x1b[m\n\x1b[32m+\tone [2J 31m \x1b[m\n\x1b[32m+-- x\x1b[m\n')
  })

  test('has no colours with NO_COLOR', async () => {
    const text = await screenOf({ NO_COLOR: '1' })
    expect(text).toContain('\n-one\n+\tone [2J 31m \n')
    expect(text).not.toContain('\x1b')
  })
})

describe('shortcrust diff at a terminal that does not say how wide it is', () => {
  test('prints no control character of the text either', async () => {
    await pasteOf('narrow', ['one\n', 'two\x1b[2J\nof the end\n'])
    const command = ['sh', '-c', 'stty cols 0 rows 0 && exec "$@"', 'sh', ...target, 'diff', 'narrow']
    const { screen, exited } = openTerminal(command, { env: { XDG_CONFIG_HOME: user.settings } })
    expect(await exited).toBe(0)
    await screen.waitFor(/of the end/)
    expect(screen.text()).toContain('\x1b[32m+two [2J\x1b[m')
    expect(screen.text()).not.toContain('\x1b[2J')
  })
})

describe('shortcrust diff of two items', () => {
  test('compares their texts, as a patch with both addresses', async () => {
    await client.paste({ text: 'one\n', alias: 'first', title: 'a.txt' })
    await client.paste({ text: 'two\n', alias: 'second', title: 'b.txt' })
    const patch = `--- ${server.url}/p/first\ta.txt\n+++ ${server.url}/p/second\tb.txt\n@@ -1 +1 @@\n-one\n+two\n`
    for (const words of [
      ['first', 'second'],
      [`${server.url}/p/first`, 'SECOND'],
    ])
      expect(await user.run(['diff', ...words])).toEqual({ code: 0, stdout: patch, stderr: '' })
  })

  test('says that they are the same, and that it compares no versions', async () => {
    await client.paste({ text: 'one\n', alias: 'equal' })
    expect(await user.run(['diff', 'first', 'equal'])).toEqual({
      ...{ code: 0, stdout: '' },
      stderr: 'both have the same content\n',
    })
    expect(await user.run(['diff', 'first', 'second', '--from', '1'])).toEqual(failure(2, /--from compares/))
    expect(await user.run(['diff', 'first', 'second', 'third'])).toEqual(
      failure(2, /usage|at most|unexpected/i),
    )
    expect(await user.run(['diff', 'first', 'no such'])).toEqual(failure(2, /expected the address/))
  })

  test('compares short links, and pastes that somebody else made, without sending the key for these', async () => {
    await client.link('https://example.org/1', { alias: 'link-1' })
    await client.link('https://example.org/2', { alias: 'link-2' })
    expect((await user.run(['diff', 'link-1', 'link-2'])).stdout).toContain('\n-https://example.org/1\n+')
    const other = (await run(['keys', 'add', 'other', '--data', server.data])).stdout.trim()
    const body = JSON.stringify({ ...examplePaste, text: 'theirs\n', alias: 'theirs' })
    const headers = { key: other, 'Content-Type': 'application/json' }
    expect((await fetch(`${server.url}/paste`, { method: 'POST', headers, body })).status).toBe(201)
    expect((await user.run(['diff', 'first', 'theirs'])).stdout).toContain('\n-one\n+theirs\n')
  })

  test('says which of the two is missing, or that both are', async () => {
    await client.paste({ text: 'one\n', alias: 'there' })
    const link = `${server.url}/s/nothing`
    expect(await user.run(['diff', 'there', 'nothing'])).toEqual(failure(1, /nothing: There is no paste/))
    expect(await user.run(['diff', 'nothing', 'there'])).toEqual(failure(1, /nothing: There is no paste/))
    const { stderr } = await user.run(['diff', link, 'nowhere'])
    expect(stderr).toMatch(
      /^shortcrust: \S+\/s\/nothing: There is no short link[^;]*; nowhere: There is no paste/,
    )
  })

  test('reads nothing that burns after reading', async () => {
    const { pasteUrl = '' } = await client.paste({ text: 'secret\n', maxReads: 1, alias: 'burning' })
    expect(await user.run(['diff', 'first', 'burning'])).toEqual(failure(1, /burns after reading/))
    expect(await (await client.get(pasteUrl, {}, { method: 'POST' })).text()).toContain('secret')
  })
})
