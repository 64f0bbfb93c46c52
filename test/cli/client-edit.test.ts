import { beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder, testKey } from '../support/process.ts'
import { quiet, withServer } from '../support/server.ts'
import { failure, newUser } from '../support/user.ts'

const user = newUser()
const { server, client } = withServer({ args: quiet })
beforeAll(async () => {
  await user.logIn(server.url)
})

/** An editor that runs these lines of shell; the file is `$1`. @returns how to call it, and the file that it was given */
const editor = (lines: string) => {
  const folder = temporaryFolder()
  const path = join(folder, 'editor')
  writeFileSync(path, `#!/bin/sh\necho "$1" > ${folder}/given\n${lines}\n`)
  chmodSync(path, 0o755)
  return { EDITOR: path, given: () => readFileSync(join(folder, 'given'), 'utf8').trim() }
}

const edit = (item: string, { EDITOR }: { EDITOR: string }, env = {}) =>
  user.run(['edit', item], { env: { EDITOR, TMPDIR: temporaryFolder(), ...env } })

const textOf = async (name: string) => (await client.get(`/p/raw/${name}`)).text()

describe('shortcrust edit', () => {
  test('sends what the editor made of the text, and keeps nothing', async () => {
    await client.paste({ text: 'one\n', alias: 'notes', language: 'markdown', title: '' })
    const append = editor('echo two >> "$1"')
    const { code, stderr } = await edit('notes', append)
    expect([code, stderr]).toEqual([0, `changed paste ${server.url}/p/notes, version 2\n`])
    expect(await textOf('notes')).toBe('one\ntwo\n')
    expect(append.given()).toEndWith('.md')
    expect(() => readFileSync(append.given())).toThrow(/ENOENT/)
  })

  test('prefers $VISUAL, which may have arguments', async () => {
    await client.paste({ text: 'one\n', alias: 'visual' })
    const { EDITOR } = editor('exit 1')
    const { EDITOR: VISUAL } = editor('echo "$2" > "$1.tmp"; mv "$1.tmp" "$1"')
    expect((await edit('visual', { EDITOR }, { VISUAL: `${VISUAL} ` })).code).toBe(0)
  })

  test('changes the target of a short link', async () => {
    await client.link('https://example.org/1', { alias: 'target' })
    await edit('target', editor('echo https://example.org/2 > "$1"'))
    expect((await client.get('/s/target')).headers.get('location')).toBe('https://example.org/2')
  })

  test('sends nothing where nothing was changed', async () => {
    await client.paste({ text: 'one\n', alias: 'same' })
    expect(await edit('same', editor('true'))).toEqual({
      code: 0,
      stdout: '',
      stderr: 'nothing was changed\n',
    })
  })

  test('overwrites nothing that somebody changed meanwhile, and keeps the text in a file it names', async () => {
    await client.paste({ text: 'one\n', alias: 'raced' })
    const change = `curl -s -X PATCH -H "key: ${testKey}" -H "Content-Type: application/json"`
    const racing = editor(
      `${change} -d '{"text":"theirs"}' ${server.url}/pastes/raced > /dev/null; echo mine > "$1"`,
    )
    const result = await edit('raced', racing)
    expect(result).toEqual(
      failure(1, /changed since you read it: it is version 2 now.*your text is in \S+\.ts/),
    )
    expect(readFileSync(racing.given(), 'utf8')).toBe('mine\n')
    expect(await textOf('raced')).toBe('theirs')
  })

  test('keeps the text where the server refuses it, and where the editor fails', async () => {
    await client.paste({ text: 'one\n', alias: 'kept' })
    const empty = editor('printf "" > "$1"')
    expect(await edit('kept', empty)).toEqual(failure(1, /"text" must not be empty; your text is in \S+/))
    const failing = editor('echo half > "$1"; exit 3')
    expect(await edit('kept', failing)).toEqual(
      failure(1, /ended with 3; nothing was sent, your text is in \S+/),
    )
    expect(readFileSync(failing.given(), 'utf8')).toBe('half\n')
    expect(await textOf('kept')).toBe('one\n')
  })
})

describe('shortcrust open', () => {
  const open = (item: string, { EDITOR: BROWSER }: { EDITOR: string }) =>
    user.run(['open', item], { env: { BROWSER } })

  test('opens the page of a paste, and the preview of a short link', async () => {
    await client.paste({ alias: 'page' })
    await client.link('https://example.org/', { alias: 'shown' })
    const browser = editor('true')
    expect(await open('page', browser)).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(browser.given()).toBe(`${server.url}/p/page`)
    await open('shown', browser)
    expect(browser.given()).toBe(`${server.url}/s/shown+`)
  })

  test('says which program failed, and the address', async () => {
    await client.paste({ alias: 'unopened' })
    const address = `${server.url}/p/unopened`
    expect(await open('unopened', editor('exit 4'))).toEqual(
      failure(1, new RegExp(`could not open ${address} \\(4\\)`)),
    )
  })
})
