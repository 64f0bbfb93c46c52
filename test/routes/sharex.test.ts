import { describe, expect, test } from 'bun:test'
import { start, testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const { server, client } = withServer()

type Uploader = Record<
  'Data' | 'RequestURL' | 'URL' | 'DeletionURL' | 'ErrorMessage' | 'RequestMethod',
  string
> & {
  Headers: Record<string, string>
}
const uploader = async (name: string, headers: Record<string, string> = {}) =>
  (await (await client.get(`/sharex/${name}.sxcu`, headers)).json()) as Uploader

/** What ShareX does: it puts the input, escaped for JSON, in its place, and looks up `{json:…}` in the answer. */
const upload = async (file: Uploader, input: string, key = testKey) => {
  const escaped = (value: string) => JSON.stringify(value).slice(1, -1)
  const response = await fetch(file.RequestURL, {
    method: file.RequestMethod,
    headers: { ...file.Headers, key, 'Content-Type': 'application/json' },
    body: file.Data.replace('{input}', () => escaped(input)).replace('{filename}', () =>
      escaped('a "b".txt'),
    ),
  })
  const answer = (await response.json()) as Record<string, string>
  const look = (syntax: string) => answer[/^\{json:(\w+)\}$/.exec(syntax)?.[1] ?? '']
  return {
    status: response.status,
    url: look(file.URL),
    deletionUrl: look(file.DeletionURL),
    error: look(file.ErrorMessage),
  }
}

describe.each([
  ['paste', 'TextUploader', '/paste'],
  ['link', 'URLShortener', '/shortener'],
])('/sharex/%s.sxcu', (name, type, path) => {
  test('is a download that ShareX takes by a double click', async () => {
    const { headers } = await client.get(`/sharex/${name}.sxcu`)
    expect(headers.get('Content-Disposition')).toBe(`attachment; filename="shortcrust-${name}.sxcu"`)
    expect(headers.get('Content-Type')).toBe('application/json; charset=utf-8')
  })

  test('describes this very server, and leaves the key to its reader', async () => {
    expect(await uploader(name)).toMatchObject({
      Version: '15.0.0',
      DestinationType: type,
      RequestMethod: 'POST',
      RequestURL: server.url + path,
      Headers: { key: 'YOUR_API_KEY' },
      Body: 'JSON',
    })
  })

  test('names the server as it was asked for, or as it is set', async () => {
    expect((await uploader(name, { Host: 'nas:8080' })).RequestURL).toBe(`http://nas:8080${path}`)
    const set = await start({ args: ['--base-url', 'https://api.sho.rt/x', '--log', 'off'] })
    const response = await fetch(`${set.url}/sharex/${name}.sxcu`)
    expect(((await response.json()) as Uploader).RequestURL).toBe(`https://api.sho.rt/x${path}`)
    await set.stop()
  })

  test('shows what is wrong when the key is', async () => {
    const { status, error } = await upload(await uploader(name), 'https://example.org/', 'YOUR_API_KEY')
    expect(status).toBe(401)
    expect(error).toMatch(/not valid/)
  })
})

describe('with the key filled in', () => {
  test('a text is uploaded and can be deleted', async () => {
    const text = 'a "quoted" \\ text\r\n\t{input} $& é😀\n'
    const { url = '', deletionUrl = '' } = await upload(await uploader('paste'), text)
    const paste = await (await client.get(url, { Accept: 'application/json' })).json()
    expect(paste).toMatchObject({ text, title: 'a "b".txt' })
    expect((await client.get(deletionUrl, {}, { method: 'DELETE' })).status).toBe(200)
  })

  test('an address is shortened and can be deleted', async () => {
    const { url = '', deletionUrl = '' } = await upload(await uploader('link'), 'https://example.org/?a="b"')
    expect((await client.get(url)).headers.get('Location')).toBe('https://example.org/?a=%22b%22')
    expect((await client.get(deletionUrl, {}, { method: 'DELETE' })).status).toBe(200)
  })
})
