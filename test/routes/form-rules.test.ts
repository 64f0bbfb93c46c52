import { describe, expect, test } from 'bun:test'
import { browser, expectError, expectPage } from '../support/expectations.ts'
import { type Element, parsePage } from '../support/html.ts'
import { testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'

type Fields = Record<string, string>

const { server, client } = withServer()

/** What the page sends: both kinds are in one form. */
const empty: Fields = {
  ...{ key: testKey, text: '', title: '', language: '', expiresIn: '', alias: '', description: '' },
  ...{ maxReads: '', url: '', linkAlias: '', linkExpiresIn: '', maxVisits: '' },
}
const post = (fields: Fields) => {
  const body = new FormData()
  for (const [name, value] of Object.entries({ ...empty, ...fields })) body.append(name, value)
  return fetch(`${server.url}/`, { method: 'POST', headers: browser, body })
}
const get = (path: string) => fetch(`${server.url}${path}`, { headers: browser })
const listed = async (kind: 'pastes' | 'links') => {
  const response = await client.get(`${server.url}/${kind}`, { key: testKey })
  const answer = (await response.json()) as Record<string, Record<string, unknown>[]>
  return answer[kind] ?? []
}

describe('a form that created something', () => {
  test('is answered by the page with its addresses, which no address shows again', async () => {
    const answer = await post({ create: 'paste', text: 'once' })
    const html = await expectPage(answer, 201)
    expect(html).toContain('Paste created')
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    const deletion = /http[^"]+\/paste\/delete\?key=\w+/.exec(html)?.[0] ?? ''
    expect(answer.headers.get('Deletion-Url')).toBe(deletion)
    expect(html).toContain(`href="${answer.headers.get('Location')}"`)
    for (const path of ['/', '/?created=23456789abcdefghjkmnpqrstu'])
      expect(await expectPage(await get(path))).not.toContain('delete?key=')
  })

  test('says how long and how often what it created can be used', async () => {
    const html = await expectPage(await post({ create: 'paste', text: 'a', burn: '1', expiresIn: '1h' }), 201)
    expect(html).toContain('Can be read once.')
    expect(html).toMatch(/Expires <time datetime="20/)
    // A GET of the raw text of such a paste is refused, so that is no address to offer.
    expect(html).not.toContain('/p/raw/')
    expect((await listed('pastes'))[0]).toMatchObject({ maxReads: 1, readsLeft: 1 })
    const link = await expectPage(await post({ create: 'link', url: 'http://nas/', maxVisits: '3' }), 201)
    expect(link).toContain('Can be followed 3 times.')
  })
})

describe('a form', () => {
  test('that the Enter key sent is about the part that was filled in', async () => {
    expect(await expectPage(await post({ create: '', url: 'http://nas/' }), 201)).toContain(
      'Short link created',
    )
    expect(await expectPage(await post({ create: '', text: 'a' }), 201)).toContain('Paste created')
    expect(await expectPage(await post({ create: '', text: 'a', url: 'http://nas/' }), 201)).toContain(
      'Paste created',
    )
  })

  test('takes the options of its own kind only', async () => {
    const both = {
      text: 'a',
      url: 'http://nas/',
      alias: 'of-paste',
      linkAlias: 'of-link',
      linkExpiresIn: '1h',
    }
    expect(await expectPage(await post({ ...both, create: 'paste' }), 201)).toContain('/p/of-paste"')
    expect((await listed('pastes'))[0]?.expiresAt).toBeUndefined()
    expect(await expectPage(await post({ ...both, create: 'link' }), 201)).toContain('/s/of-link"')
    expect((await listed('links'))[0]?.expiresAt).toBeString()
  })

  test.each([
    [{ title: 'build.py', text: 'a' }, 'python'],
    [{ text: '#!/bin/sh\necho' }, 'shellscript'],
    [{ text: 'a', title: 'notes' }, 'text'],
    [{ title: 'build.py', text: 'a', language: 'rust' }, 'rust'],
  ])('without a language finds it: %j is %s', async (fields, language) => {
    await expectPage(await post({ create: 'paste', ...fields }), 201)
    expect((await listed('pastes'))[0]?.language).toBe(language)
  })

  test('drops white space around an address', async () => {
    await expectPage(await post({ create: 'link', url: ' \thttp://grafana.lan/x \n' }), 201)
    expect((await listed('links'))[0]?.url).toBe('http://grafana.lan/x')
  })

  test.each([
    ['grafana.lan', 'http://grafana.lan'],
    ['nas:8080/files', 'http://nas:8080/files'],
    ['localhost', 'http://localhost'],
  ])('offers %s with its scheme, and creates nothing yet', async (typed, offered) => {
    const before = (await listed('links')).length
    const html = await expectPage(await post({ create: 'link', url: typed }), 400)
    expect(html).toContain(`value="${offered}"`)
    expect(html).toContain(`Did you mean ${offered}?`)
    expect(await listed('links')).toHaveLength(before)
  })

  test.each(['mailto:a@nas', 'javascript:alert(1)', 'ftp://nas/', 'a b', 'user@host'])(
    'offers nothing for %s',
    async (url) => {
      const html = await expectPage(await post({ create: 'link', url }), 400)
      expect(html).not.toContain('Did you mean')
    },
  )

  const wrong: readonly (readonly [string, Fields, string, string])[] = [
    ['no key', { create: 'paste', key: '', text: 'a' }, 'key', 'Enter your API key.'],
    ['a wrong key', { create: 'paste', key: 'x', text: 'a' }, 'key', 'This API key is not valid.'],
    ['no text', { create: 'paste' }, 'text', 'Enter the text to share.'],
    [
      'a long title',
      { create: 'paste', text: 'a', title: 'a'.repeat(1025) },
      'title',
      'Shorten the title to 1 KiB.',
    ],
    ['a wrong name', { create: 'paste', text: 'a', alias: 'a b' }, 'alias', 'A custom name has 1 to 64 of'],
    [
      'a reserved name',
      { create: 'link', url: 'http://nas/', linkAlias: 'docs' },
      'linkAlias',
      'Choose another.',
    ],
    ['no address', { create: 'link' }, 'url', 'Enter the address to shorten.'],
    ['a wrong number', { create: 'link', url: 'http://nas/', maxVisits: '0' }, 'maxVisits', 'whole number'],
    ['a wrong lifetime', { create: 'paste', text: 'a', expiresIn: 'soon' }, 'expiresIn', 'Choose a time'],
    [
      'an unknown language',
      { create: 'paste', text: 'a', language: 'pyton' },
      'language',
      'Did you mean &#34;python&#34;?',
    ],
  ]
  test.each(wrong)(
    'with %s says so beside the field, in the words of the page',
    async (_, fields, name, says) => {
      const response = await post(fields)
      expect(response.status).toBeWithin(400, 423)
      const html = await response.text()
      const elements = parsePage(html)
      const error = elements.find(({ attributes }) => attributes.id === `error-${name}`)
      const isThere = ({ attributes }: Element) => attributes.role === 'alert' && !('hidden' in attributes)
      expect(error?.text).toContain(says.replaceAll('&#34;', '"'))
      expect(elements.filter(isThere).map(({ text }) => text)).toEqual([''])
      expect(error?.text).not.toMatch(/Field|bytes|header/)
      const input = elements.find(({ attributes }) => attributes.id === `field-${name}`)
      expect(input?.attributes['aria-invalid']).toBe('true')
    },
  )
})

describe('a script of the page', () => {
  const refusal = async (path: string, body: object, headers = {}) =>
    (await client.post(path, body, headers)).json()
  const asked = { Accept: 'application/json; for=form' }

  test('gets what to show, and where, with the error that every program gets', async () => {
    const error = 'Invalid URL format: it must begin with http:// or https://.'
    expect(await refusal('/shortener', { url: 'grafana.lan' })).toEqual({ success: false, error })
    const says = 'An address begins with http:// or https://. Did you mean http://grafana.lan?'
    const problem = {
      ...{ field: 'url', value: 'http://grafana.lan' },
      message: `${says} Press the button again to use it.`,
    }
    expect(await refusal('/shortener', { url: 'grafana.lan' }, asked)).toEqual({
      ...{ success: false, error, problem },
    })
  })

  test.each([
    [{ text: '' }, 'text', 'Enter the text to share.'],
    [{ text: '\ud800' }, 'text', 'Field "text" must not contain a lone surrogate.'],
    [{ maxReads: 0 }, 'maxReads', 'Enter a whole number from 1 to 1,000,000.'],
    [{ title: 1 }, 'title', 'Field "title" must be a string.'],
  ])('of a paste with %j as well', async (fields, field, message) => {
    const paste = { text: 'a', title: '', description: '', language: 'text', ...fields }
    expect(await refusal('/paste', paste, asked)).toMatchObject({ problem: { field, message } })
  })
})

describe('the list of what a key made', () => {
  test('is a page for browsers without JavaScript', async () => {
    await expectPage(await post({ create: 'paste', text: 'a', title: 'Listed <b>', expiresIn: '1d' }), 201)
    const html = await expectPage(await post({ create: 'items' }))
    expect(html).toContain('Listed &lt;b&gt;')
    expect(html).toContain('0 reads')
    expect(html).not.toContain(testKey)
  })

  test('needs the key', async () => {
    expect(await expectPage(await post({ create: 'items', key: 'wrong' }), 401)).toContain('not valid')
  })
})

describe('edit as new', () => {
  test('is the form filled with a paste, to the letter', async () => {
    const paste = { text: '\n\ta <b>&amp;\n', title: 'T "q"', description: 'D', language: 'rust' }
    const { pasteUrl = '' } = await client.paste(paste)
    const elements = parsePage(await expectPage(await get(`/?from=${pasteUrl.split('/').at(-1)}`)))
    const named = (name: string) => elements.find(({ attributes }) => attributes.name === name)
    expect(named('text')?.text).toBe(paste.text)
    expect(named('title')?.attributes.value).toBe(paste.title)
    expect(named('description')?.attributes.value).toBe('D')
    const chosen = elements.filter(({ name, attributes }) => name === 'option' && 'selected' in attributes)
    expect(chosen.map(({ attributes }) => attributes.value)).toContain('rust')
  })

  test('takes a name as well, and says where there is no such paste', async () => {
    await client.paste({
      text: 'named',
      title: '',
      description: '',
      language: 'text',
      alias: 'to-copy',
    } as never)
    expect(await expectPage(await get('/?from=to-copy'))).toContain('named')
    await expectPage(await get('/?from=no-such-paste'), 404)
  })

  test('is filled with the newest version, also of a paste that it was filled with before', async () => {
    await client.paste({ text: 'version one', alias: 'to-copy-twice' })
    expect(await expectPage(await get('/?from=to-copy-twice'))).toContain('version one')
    const headers = { key: testKey, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ text: 'version two' })
    await fetch(`${server.url}/pastes/to-copy-twice`, { method: 'PATCH', headers, body })
    expect(await expectPage(await get('/?from=to-copy-twice'))).toContain('version two')
  })

  test('is refused for a paste that each read brings nearer to its end', async () => {
    await expectPage(await post({ create: 'paste', text: 'secret', burn: '1', alias: 'burnt' }), 201)
    const response = await get('/?from=burnt')
    expect(response.status).toBe(403)
    expect(await response.text()).not.toContain('secret')
    await expectError(await fetch(`${server.url}/?from=burnt`), 403)
  })

  test('of the largest paste shows all of it', async () => {
    const text = '<é\n'.repeat(262_000)
    const { pasteUrl = '' } = await client.paste({ text, title: '', description: '', language: 'text' })
    const html = await expectPage(await get(`/?from=${pasteUrl.split('/').at(-1)}`))
    expect(parsePage(html).find(({ name }) => name === 'textarea')?.text).toBe(text)
  })
})
