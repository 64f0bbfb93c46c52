import { describe, expect, test } from 'bun:test'
import { examplePaste } from '../support/client.ts'
import { browser, expectError, expectPage } from '../support/expectations.ts'
import { testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const { server, client } = withServer()

const python = 'import os\n\ndef main(args):\n    for name in args:\n        print(os.path.join("a", name))\n'
const rust =
  'use std::fs;\n\nfn main() -> Result<(), String> {\n    let x = fs::read("a").unwrap();\n    Ok(())\n}\n'
const auto = { ...examplePaste, title: '', text: python, language: 'auto' }

const languageAt = async (pasteUrl = '') =>
  ((await (await client.get(pasteUrl, { Accept: 'application/json' })).json()) as { language: string })
    .language

const change = async (pasteUrl: string | undefined, fields: object) => {
  const response = await fetch(`${server.url}/pastes/${pasteUrl?.split('/').at(-1)}`, {
    method: 'PATCH',
    headers: { key: testKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  })
  expect(response.status).toBe(200)
  return ((await response.json()) as { paste: { language: string; version?: number } }).paste
}

describe('the language "auto"', () => {
  test('is found, stored and named in the answer', async () => {
    const { pasteUrl, language } = await client.paste(auto)
    expect(language).toBe('python')
    expect(await languageAt(pasteUrl)).toBe('python')
  })

  test('is plain text where nothing is sure', async () => {
    const { pasteUrl, language } = await client.paste({ ...auto, text: 'hello' })
    expect(language).toBe('text')
    expect(await languageAt(pasteUrl)).toBe('text')
  })

  test('may be written in any case, with blanks around', async () => {
    expect(await client.paste({ ...auto, language: ' AUTO\n' })).toMatchObject({ language: 'python' })
  })

  test('is found by the ending of the title before the text', async () => {
    expect(await client.paste({ ...auto, title: 'main.rs' })).toMatchObject({ language: 'rust' })
    expect(await client.paste({ ...auto, title: 'The main part.' })).toMatchObject({ language: 'python' })
  })

  test('is the only one that the answer to a creation names', async () => {
    expect(await client.paste({ ...auto, language: 'py' })).not.toContainKey('language')
  })

  test('is found again for the name of a paste that is replaced', async () => {
    const named = { ...auto, alias: 'newest', replace: true }
    expect(await client.paste(named)).toMatchObject({ language: 'python' })
    const response = await client.post('/paste', { ...named, text: rust })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ language: 'rust' })
  })

  test('is no language to view a paste in, or to find pastes by', async () => {
    const { pasteUrl = '' } = await client.paste(auto)
    await expectError(await client.get(`${pasteUrl}?lang=auto`), 422)
    await expectError(await client.get('/pastes?language=auto', { key: testKey }), 422)
  })
})

describe('a change to the language "auto"', () => {
  test('finds that of the text which is sent with it', async () => {
    const { pasteUrl } = await client.paste(auto)
    expect(await change(pasteUrl, { text: rust, language: 'auto' })).toMatchObject({ language: 'rust' })
  })

  test('finds that of the stored text and title, if it sends none', async () => {
    const { pasteUrl } = await client.paste({ ...auto, language: 'text' })
    expect(await change(pasteUrl, { language: 'auto' })).toMatchObject({ language: 'python', version: 2 })
    expect(await change(pasteUrl, { title: 'a.sql', language: 'auto' })).toMatchObject({ language: 'sql' })
  })

  test('is no change where the same is found', async () => {
    const { pasteUrl } = await client.paste(auto)
    expect((await change(pasteUrl, { language: 'auto' })).version ?? 1).toBe(1)
  })

  test('is not made by a new text alone', async () => {
    const { pasteUrl } = await client.paste(auto)
    expect(await change(pasteUrl, { text: rust })).toMatchObject({ language: 'python' })
  })
})

describe('an upload', () => {
  const upload = async (path: string, init: RequestInit) => {
    const response = await fetch(server.url + path, { ...init, headers: { key: testKey } })
    expect(response.status).toBe(201)
    return languageAt((await response.text()).trim())
  }

  test.each([
    ['without a name', '/', 'POST', 'python'],
    ['whose name has an unknown ending', '/notes.unknown', 'PUT', 'python'],
    ['whose name has a known ending', '/notes.rs', 'PUT', 'rust'],
    ['that names a language', '/?language=go', 'POST', 'go'],
    ['that asks for it', '/?language=auto', 'POST', 'python'],
    ['with an empty language', '/?language=', 'POST', 'python'],
  ])('%s has the language that is found: %s by %s is %s', async (_, path, method, language) => {
    expect(await upload(path, { method, body: python })).toBe(language)
  })

  test('of a haste client has the language that is found', async () => {
    const headers = { Authorization: `Bearer ${testKey}` }
    const response = await fetch(`${server.url}/documents`, { method: 'POST', headers, body: python })
    const { key } = (await response.json()) as { key: string }
    expect(await languageAt(`${server.url}/p/${key}`)).toBe('python')
  })
})

describe('the form without JavaScript', () => {
  const resultOf = async (fields: Record<string, string>) => {
    const body = new FormData()
    for (const [name, value] of Object.entries({ key: testKey, create: 'paste', ...fields }))
      body.append(name, value)
    const response = await fetch(`${server.url}/`, { method: 'POST', headers: browser, body })
    return expectPage(response, 201)
  }

  test('names the language that was found', async () => {
    expect(await resultOf({ text: python, language: '' })).toContain('Detected language: Python.')
    expect(await resultOf({ text: python, language: 'auto' })).toContain('Detected language: Python.')
  })

  test('says that none was found, and nothing where one was chosen', async () => {
    expect(await resultOf({ text: 'hello', language: '' })).toContain(
      'No language was detected, so it is plain text.',
    )
    expect(await resultOf({ text: python, language: 'go' })).not.toContain('etected')
  })
})
