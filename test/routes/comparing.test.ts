import { beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { browser, expectError, expectPage } from '../support/expectations.ts'
import { parsePage } from '../support/html.ts'
import { temporaryFolder, testKey } from '../support/process.ts'
import { quiet, withServer } from '../support/server.ts'
import { untilMade } from '../support/until.ts'

const { server, client } = withServer({ args: quiet })
const texts = { before: 'one\nconst most = 3\nthree\n', after: 'one\nconst most = 5\nthree\nfour' }
const shuffled = (step: number) => Array.from({ length: 20_000 }, (_, at) => (at * step) % 20_000).join('\n')

const idOf = ({ pasteUrl = '' }: { pasteUrl?: string }) => pasteUrl.split('/').at(-1) ?? ''
let [before, after] = ['', '']
beforeAll(async () => {
  before = idOf(await client.paste({ text: texts.before, title: 'limit.ts', alias: 'before' }))
  after = idOf(await client.paste({ text: texts.after, title: 'limit.ts' }))
  await untilMade(`${server.url}/diff/${before}/${after}`)
})

const change = (path: string, body: object) =>
  client.get(
    path,
    { key: testKey, 'Content-Type': 'application/json' },
    {
      method: 'PATCH',
      body: JSON.stringify(body),
    },
  )
const textIn = (html: string, id: string) =>
  parsePage(html).find(({ attributes }) => attributes.id === id)?.text

const patch = `--- limit.ts\tpaste before
+++ limit.ts\tpaste AFTER
@@ -1,3 +1,4 @@
 one
-const most = 3
+const most = 5
 three
+four
\\ No newline at end of file
`

describe('/diff/<a>/<b>', () => {
  test('is a page for a browser, and a patch for everybody else', async () => {
    const html = await expectPage(await client.get(`/diff/${before}/${after}`, browser))
    expect(textIn(html, 'code')).toBe('one−const most = 3+const most = 5three+four No line end here')
    expect(html).toContain('2 lines added, 1 removed')
    for (const Accept of ['*/*', 'text/x-diff', 'text/plain', 'application/json']) {
      const response = await client.get(`/diff/${before}/${after}`, { Accept })
      expect(response.headers.get('Content-Type')).toBe('text/x-diff; charset=utf-8')
      expect(response.headers.get('Vary')).toBe('Accept, Accept-Encoding')
      expect(response.headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox")
      expect(await response.text()).toBe(patch.replace('AFTER', after))
    }
  })

  test('is side by side with ?view=split; an unknown view is a notice, or 422 for a program', async () => {
    const path = `/diff/${before}/${after}`
    expect(await expectPage(await client.get(`${path}?view=split`, browser))).toContain('class="diff split')
    const html = await expectPage(await client.get(`${path}?view=table`, browser))
    expect(html).toContain('class="diff unified')
    expect(textIn(html, 'ignored')).toContain('The view in the address is not known')
    await expectError(await client.get(`${path}?view=table`), 422, /"view" must be one of unified, split/)
    const usual = await expectPage(await client.get(path, browser))
    expect(usual).not.toContain('id="ignored"')
    expect(await expectPage(await client.get(`${path}?view=table`, browser))).toContain('id="ignored"')
  })

  test('takes names and ids in either case, and links to the names', async () => {
    const html = await expectPage(await client.get(`/diff/BEFORE/${after.toUpperCase()}`, browser))
    expect(html).toContain('href="../../p/before"')
    expect(html).toContain(`href="../../diff/before/${after}.patch"`)
    expect(html).toContain(`href="../../diff/${after}/before"`)
  })

  test('says so where the texts are the same, and its patch is empty', async () => {
    const same = idOf(await client.paste({ text: texts.before, title: 'The same' }))
    const html = await expectPage(await client.get(`/diff/before/${same}`, browser))
    expect(textIn(html, 'nothing')).toBe('The texts are the same.')
    expect(await (await client.get(`/diff/before/${same}`)).text()).toBe('')
    expect(await (await client.get('/diff/before/before')).text()).toBe('')
  })

  test('says which paste is missing or gone', async () => {
    const deleted = await client.paste()
    await client.get(deleted.deletionUrl ?? '', {}, { method: 'DELETE' })
    const gone = idOf(deleted)
    await expectError(await client.get('/diff/before/zzzzzzzzzz'), 404, /^There is no paste "zzzzzzzzzz"\.$/)
    await expectError(await client.get('/diff/zzzzzzzzzz/before'), 404, /^There is no paste "zzzzzzzzzz"\.$/)
    await expectError(await client.get(`/diff/before/${gone}`), 410, new RegExp(`"${gone}" was deleted`))
    expect(await expectPage(await client.get(`/diff/before/${gone}`, browser), 410)).toContain('was deleted')
    await expectError(await client.get('/diff/before/%3Cb%3E'), 404, /^There is no paste at this address\.$/)
  })

  test('shows nothing of a burn-after-reading paste, and counts no read of it', async () => {
    const once = idOf(await client.paste({ text: 'a-secret', maxReads: 1 }))
    for (const path of [`/diff/before/${once}`, `/diff/${once}/before`, `/diff/before/${once}.patch`])
      expect(await expectError(await client.get(path), 403, /burns after reading/)).not.toContain('secret')
    expect(await expectPage(await client.get(`/diff/before/${once}`, browser), 403)).not.toContain('a-secret')
    expect(await (await client.get(`/p/raw/${once}`, {}, { method: 'POST' })).text()).toBe('a-secret')
  })

  test('shows the newest text at once after a change, under another entity tag', async () => {
    const id = idOf(await client.paste({ text: 'old\n' }))
    const path = `/diff/before/${id}`
    for (const headers of [browser, {}]) {
      const first = await client.get(path, headers)
      const etag = first.headers.get('ETag') ?? ''
      expect((await client.get(path, { ...headers, 'If-None-Match': etag })).status).toBe(304)
      await change(`/pastes/${id}`, { text: `${etag}\n` })
      const second = await client.get(path, { ...headers, 'If-None-Match': etag })
      expect(second.status).toBe(200)
      expect(await second.text()).toContain(etag.slice(1, -1))
      const head = await client.get(path, headers, { method: 'HEAD' })
      expect(head.headers.get('ETag')).toBe(second.headers.get('ETag'))
      expect(head.headers.get('Content-Type')).toBe(second.headers.get('Content-Type'))
    }
  })

  test('counts no read', async () => {
    await client.get(`/diff/before/${after}`, browser)
    await client.get(`/diff/before/${after}`)
    const { paste } = (await (await client.get('/pastes/before', { key: testKey })).json()) as {
      paste: { reads: number }
    }
    expect(paste.reads).toBe(0)
  })

  test('says that two texts differ too much, on a page and to a program', async () => {
    const one = idOf(await client.paste({ text: shuffled(7919), language: 'text' }))
    const other = idOf(await client.paste({ text: shuffled(104_729), language: 'text' }))
    const path = `/diff/${one}/${other}`
    await untilMade(server.url + path)
    const html = await expectPage(await client.get(path, browser))
    expect(textIn(html, 'nothing')).toContain('These pastes differ too much to be compared line by line.')
    expect(html).not.toContain('.patch"')
    const patch = await client.get(path)
    if (patch.status !== 503) await expectError(patch, 422, /differ too much/)
    const head = await client.get(path, {}, { method: 'HEAD' })
    expect(head.status).toBeOneOf([422, 503])
  })
})

describe('/diff/<a>/<b>.patch', () => {
  test('is a file to save, also for a browser', async () => {
    const response = await client.get(`/diff/before/${after}.patch`, browser)
    expect(response.headers.get('Content-Type')).toBe('text/x-diff; charset=utf-8')
    expect(response.headers.get('Content-Disposition')).toBe(`attachment; filename="before-${after}.patch"`)
    expect(await response.text()).toBe(patch.replace('AFTER', after))
  })

  test('is taken by patch where a file has the title of the paste', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'limit.ts'), texts.before)
    const stdin = Buffer.from(await (await client.get(`/diff/before/${after}.patch`)).bytes())
    expect(Bun.spawnSync(['patch'], { cwd: folder, stdin }).exitCode).toBe(0)
    expect(await Bun.file(join(folder, 'limit.ts')).text()).toBe(texts.after)
  })
})

describe('/pastes/<id>/versions/<version>', () => {
  const asked = (path: string, headers = {}, body?: object) =>
    client.get(
      path,
      { key: testKey, 'Content-Type': 'application/json', ...headers },
      body && { method: 'POST', body: JSON.stringify(body) },
    )
  const path = async (fields = {}) => `/pastes/${idOf(await client.paste({ text: texts.before, ...fields }))}`

  test('is compared with what was typed, which is escaped and not stored, in no cache that others share', async () => {
    const [evil, paste] = ['<img src=x onerror=alert(1)>', await path({ title: 'limit.ts' })]
    const part = await asked(`${paste}/versions/1?view=split`, browser, {
      text: evil,
      title: evil,
      alias: evil,
      language: 'nothing of the kind',
    })
    expect(part.headers.get('Cache-Control')).toBe('private, no-cache')
    const html = await part.text()
    expect(html).toContain(
      '1 line added, 3 removed. Title: “limit.ts” became “&lt;img src=x onerror=alert(1)&gt;”. Language:',
    )
    expect(html).not.toContain('<img')
    expect(await (await asked(paste)).json()).toMatchObject({ paste: { version: 1, text: texts.before } })
    await expectError(await client.get(`${paste}/versions/1`, {}, { method: 'POST', body: '{}' }), 401, /key/)
  })

  test('is compared above 1 MiB, and not at all where it burns after reading', async () => {
    await expectError(await asked(`${await path({ maxReads: 1 })}/versions/1`, {}, {}), 403, /burns/)
    const long = await asked(`${await path()}/versions/1`, browser, { text: '1\n'.repeat(600_000) })
    if (long.status !== 503) expect(await long.text()).toContain('600,000 lines added, 3 removed.')
  })

  test('of a short link is compared as its address', async () => {
    const link = (await client.link('https://example.org/1')).shortendUrl?.split('/').at(-1)
    const compared = await asked(`/links/${link}/versions/1`, {}, { url: 'https://example.org/2' })
    expect(await compared.text()).toEndWith('@@ -1 +1 @@\n-https://example.org/1\n+https://example.org/2\n')
  })
})

describe('/diff/<a>?with=', () => {
  const goes = async (typed: string) => {
    const response = await client.get(
      `/diff/before?${new URLSearchParams({ with: typed })}`,
      {},
      { redirect: 'manual' },
    )
    expect(response.status).toBe(302)
    return response.headers.get('Location')
  }

  test('goes on to the comparison for an address, an id or a name', async () => {
    const target = `${server.url}/diff/before/${after}`
    for (const typed of [
      after,
      ` ${after.toUpperCase()}\n`,
      `${server.url}/p/${after}`,
      `${server.url}/p/${after}?lang=python#L5`,
      `${server.url}/p/raw/${after}`,
      `https://nas.example/paste/p/${after}`,
      `127.0.0.1:8080/p/${after}`,
      `nas:8080/p/${after}/`,
      `nas/p/raw/${after}?lines=2`,
      `${after}#L10`,
      `/p/${after}#L1-L3`,
    ])
      expect(await goes(typed)).toBe(target)
  })

  test.each([
    ['not a name', 422, /not the address, the id or the name/],
    ['', 422, /not the address, the id or the name/],
    ['https://nas.example/s/abcdefg', 422, /not the address, the id or the name/],
    ['nas:8080/s/abcdefg', 422, /not the address, the id or the name/],
    ['see http://nas/p/abcdefg', 422, /not the address, the id or the name/],
    ['https://nas.example/?next=/p/abcdefg', 422, /not the address, the id or the name/],
    ['#L10', 422, /not the address, the id or the name/],
    ['zzzzzzzzzz', 404, /There is no paste "zzzzzzzzzz"/],
  ])('says what is wrong with %j, with what was typed in the form', async (typed, status, says) => {
    const path = `/diff/before?${new URLSearchParams({ with: typed })}`
    const html = await expectPage(await client.get(path, browser), status)
    expect(textIn(html, 'compare-problem')).toMatch(says)
    const field = parsePage(html).find(({ attributes }) => attributes.name === 'with')
    expect(field?.attributes.value).toBe(typed)
    await expectError(await client.get(path), status, says)
  })

  test('asks where the address does not say what with', async () => {
    const html = await expectPage(await client.get('/diff/before', browser))
    expect(html).toContain('action="../diff/before"')
    await expectError(await client.get('/diff/zzzzzzzzzz'), 404)
  })

  test('is missing, as an error that a program can read', async () => {
    await expectError(await client.get('/diff/before'), 422, /"with" must be the address/)
    await expectError(await client.get('/diff/zzzzzzzzzz'), 404)
  })

  test('is in a menu on the page of a paste, but not of one that burns after reading', async () => {
    const html = await expectPage(await client.get('/p/before', browser))
    expect(html).toContain('<form class="compare-form" action="../diff/before">')
    const { pasteUrl = '' } = await client.paste({ maxReads: 2 })
    const burning = await client.get(pasteUrl, browser, { method: 'POST' })
    expect(await expectPage(burning)).not.toContain('compare-form')
  })
})
