import { describe, expect, test } from 'bun:test'
import { createClient } from '../support/client.ts'
import { browser } from '../support/expectations.ts'
import { parsePage } from '../support/html.ts'
import { withServer } from '../support/server.ts'

const { server } = withServer({ args: ['--log', 'off'] })

describe('the page that shows where a short link goes', () => {
  test('names the host and the whole address, counts no visit, and has a way on', async () => {
    const url = 'https://example.org/a?b=c#d'
    const client = createClient(server.url)
    const { shortendUrl = '' } = await client.link(url, { expiresIn: '2h' })
    const look = async () => parsePage(await (await client.get(`${shortendUrl}+`, browser)).text())
    await look()
    const elements = await look()
    const main = elements.find(({ name }) => name === 'main')?.text ?? ''
    expect(main).toContain('This short link goes to example.org')
    expect(main).toContain(url)
    expect(main).toContain('No visits yet. You have not left this page.')
    const way = elements.find(({ name, text }) => name === 'a' && text === 'Continue')
    expect(way?.attributes).toMatchObject({ href: url, rel: 'noopener noreferrer nofollow' })
    expect(elements.filter(({ name }) => name === 'time')).toHaveLength(2)
    expect(elements.some(({ attributes }) => attributes['data-copy'] === url)).toBe(true)
  })
})
