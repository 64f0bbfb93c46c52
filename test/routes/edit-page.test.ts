import { describe, expect, test } from 'bun:test'
import { browser, expectPage } from '../support/expectations.ts'
import { parsePage } from '../support/html.ts'
import { withServer } from '../support/server.ts'

describe('the page that changes an item', () => {
  const { server, client } = withServer()
  const get = async (path: string) => expectPage(await fetch(server.url + path, { headers: browser }))

  test('holds nothing of the item, and is the same for each of a kind', async () => {
    await client.paste({ text: 'a secret', title: 'of mine', alias: 'to-edit' })
    const page = await get('/?edit=to-edit')
    expect(page).toBe(await get('/?edit=no-such-paste'))
    expect(page).not.toContain('secret')
    expect(await get('/?link&edit=a')).not.toBe(page)
  })

  test.each([
    ['/?edit=a', ['tag', 'key', 'text', 'title', 'language', 'expiresIn', 'description', 'create']],
    ['/?link&edit=a', ['tag', 'key', 'url', 'linkExpiresIn', 'create']],
  ])('has at %s the fields that may be changed', async (path, names) => {
    const fields = parsePage(await get(path)).flatMap(({ attributes }) => attributes.name ?? [])
    expect(fields.filter((name) => !['viewport', 'color-scheme', 'robots', 'menu'].includes(name))).toEqual(
      names,
    )
  })
})

describe.each([
  [[], ['', 'never', '10m', '1h', '1d', '1w', '4w', '365d']],
  [
    ['--default-expiry', '1d'],
    ['', 'never', '10m', '1h', '1d', '1w', '4w', '365d'],
  ],
  [
    ['--max-expiry', '1d'],
    ['', '10m', '1h', '1d'],
  ],
])('with the flags %p', (args, values) => {
  const { server } = withServer({ args })

  test('a change offers the lifetimes that the server takes, and to leave it as it is', async () => {
    const page = parsePage(await expectPage(await fetch(`${server.url}/?link&edit=a`, { headers: browser })))
    const options = page.filter(({ name }) => name === 'option').map(({ attributes }) => attributes.value)
    expect(options).toEqual(values)
  })
})
