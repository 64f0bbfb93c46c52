import { describe, expect, test } from 'bun:test'
import { examplePaste } from '../support/client.ts'
import { withServer } from '../support/server.ts'

const { server, client } = withServer()

const json = { Accept: 'application/json' }
const link = { url: 'https://example.org/' }

/** Lower-case letters and digits that cannot be taken for one another. */
const letter = '[2-9abcdefghjkmnp-z]'

const publicFields = async (pasteUrl = '') =>
  (await (await client.get(pasteUrl, json)).json()) as Record<string, string>

describe('POST /paste', () => {
  test('answers 201 with the three addresses of the paste, the first also as Location', async () => {
    const response = await client.post('/paste', examplePaste)
    expect(response.status).toBe(201)
    expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    const location = response.headers.get('Location') ?? ''
    expect(location).toMatch(new RegExp(`^${server.url}/p/${letter}{10}$`))
    const id = location.slice(-10)
    expect(await response.json()).toEqual({
      success: true,
      message: expect.stringMatching(/\S/),
      pasteUrl: location,
      rawUrl: `${server.url}/p/raw/${id}`,
      deletionUrl: expect.stringMatching(
        new RegExp(`^${server.url}/paste/delete\\?key=${id}${letter}{26,}$`),
      ),
    })
  })

  test.each([
    ['CRLF line ends', 'a\r\nb\r\n'],
    ['lone carriage returns', 'a\rb\r'],
    ['no line end at the end', 'a\nb'],
    ['tabs and trailing blanks', '\ta \t\n  '],
    ['white space only', ' '],
    ['NUL', 'a\0b\0'],
    ['a byte order mark', '\ufeffa\ufeff'],
    ['emoji and joiners', '👩‍👩‍👧‍👦 🏳️‍🌈 𝒳'],
    ['text that is not normalised', 'e\u0301 \u00e9 \u212b'],
    ['control and separator characters', '\u0001\u001b[31m\u007f\u0085\u2028\u2029\uffff'],
    ['markup', '<script>alert("1")</script>&amp;'],
  ])('keeps %s byte for byte', async (_, text) => {
    const { rawUrl = '', pasteUrl } = await client.paste({ text })
    expect(Buffer.from(await (await client.get(rawUrl)).bytes())).toEqual(Buffer.from(text))
    expect((await publicFields(pasteUrl)).text).toBe(text)
  })

  test('reads a text that JSON escapes as pairs of surrogates', async () => {
    const body = JSON.stringify({ ...examplePaste, text: 'here' }).replace('here', '\\ud83d\\ude00\\u0000')
    const { rawUrl } = (await (await client.post('/paste', body)).json()) as { rawUrl: string }
    expect(await (await client.get(rawUrl)).text()).toBe('😀\0')
  })

  test.each([
    ['ts', 'typescript'],
    [' \tPYTHON\n', 'python'],
    ['C++', 'cpp'],
    ['plain', 'text'],
  ])('understands the language %j as %s', async (language, id) => {
    const { pasteUrl } = await client.paste({ language })
    expect((await publicFields(pasteUrl)).language).toBe(id)
  })
})

describe('POST /shortener', () => {
  test('answers 201 with the short and the deletion address, the first also as Location', async () => {
    const response = await client.post('/shortener', link)
    expect(response.status).toBe(201)
    expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    const location = response.headers.get('Location') ?? ''
    expect(location).toMatch(new RegExp(`^${server.url}/s/${letter}{7}$`))
    expect(await response.json()).toEqual({
      success: true,
      message: expect.stringMatching(/\S/),
      shortendUrl: location,
      deletionUrl: expect.stringMatching(
        new RegExp(`^${server.url}/shortener/delete\\?key=${location.slice(-7)}${letter}{26,}$`),
      ),
    })
  })
})

describe.each([
  ['/paste', examplePaste],
  ['/shortener', link],
])('POST %s', (path, body) => {
  test('makes a new item each time, also of the same content', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.post(path, body)))
    expect(new Set(answers.map(({ headers }) => headers.get('Location'))).size).toBe(20)
  })

  test('ignores fields it does not know', async () => {
    const id = 'aaaaaaaaaa'.slice(path === '/paste' ? 0 : 3)
    const unknown = { id, owner: 'root', createdAt: 0, expires: '1h', nested: { text: [] }, constructor: 1 }
    const response = await client.post(
      path,
      `{"__proto__":5,${JSON.stringify({ ...unknown, ...body }).slice(1)}`,
    )
    expect(response.status).toBe(201)
    expect(response.headers.get('Location')).not.toEndWith(id)
  })

  test.each(['application/json;charset=UTF-8', 'Application/JSON ; charset=utf-8'])(
    'takes the content type %s',
    async (type) => {
      expect((await client.post(path, body, { 'Content-Type': type })).status).toBe(201)
    },
  )
})
