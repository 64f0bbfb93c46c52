import { afterAll, describe, expect, spyOn, test } from 'bun:test'
import { createRenderer } from '../../src/highlight/child.ts'
import type { Lines } from '../../src/highlight/lines.ts'
import { failed, spawnReal, withRealChild } from '../support/highlighting.ts'
import { parseRendering } from '../support/html.ts'

const { highlight: tryOut, render, close, failures } = withRealChild()
afterAll(close)

/** Renders with the real child; counts the tokens that are not ordinary text. */
const highlight = async (text: string, language: string) => {
  const { html, ...lines } = await render(text, language)
  const rendering = parseRendering(html)
  const tokens = rendering.elements.filter(({ name }) => !['div', 'ol', 'li'].includes(name))
  return { ...rendering, html, lines, tokens }
}

describe('the highlighting child', () => {
  test('colours code and keeps its text', async () => {
    const { text, tokens, lines } = await highlight('const a: number = 1 // <b>\n', 'typescript')
    expect(text).toBe('const a: number = 1 // <b>\n')
    expect(tokens.map((token) => token.text.trim())).toContain('const')
    expect(tokens.map(({ name }) => name)).toEqual(tokens.map(() => 'span'))
    for (const { attributes } of tokens)
      expect(attributes).toEqual({ class: expect.stringMatching(/^t\w+( [ibus])*$/) })
    expect(lines).toEqual({ shown: 1, total: 1, isPartial: false })
  })

  test('leaves a line of more than 1000 characters plain, and only that one', async () => {
    const long = `let a = "${'x'.repeat(991)}"`
    const { text, tokens } = await highlight(`let b\n${long}\nlet c\n`, 'javascript')
    expect(text).toBe(`let b\n${long}\nlet c\n`)
    expect(tokens.map((token) => token.text.trim()).filter((token) => token === 'let')).toHaveLength(2)
    const shorter = await highlight(long.replace('xx', ''), 'javascript')
    expect(shorter.tokens.length).toBeGreaterThan(1)
  })

  test('reads the colours of ANSI', async () => {
    const source = '\x1b[31mred\x1b[0m \x1b[38;2;128;0;128mpurple\x1b[0m \x1b[2Jplain\n'
    const { text, tokens } = await highlight(source, 'ansi')
    expect(text).toBe('red purple plain\n')
    expect(tokens.map((token) => token.text)).toEqual(['red', 'purple'])
    expect(new Set(tokens.map(({ attributes }) => attributes.class)).size).toBe(2)
  })

  test('answers a failure for a language it does not know, and goes on', async () => {
    expect(await tryOut({ text: 'a < b', language: 'no-such-language' }, true)).toEqual(failed)
    expect(failures.splice(0)).toEqual([expect.stringContaining('no-such-language')])
    expect((await highlight('let a', 'javascript')).tokens.length).toBeGreaterThan(0)
  })

  test('sends a large page in pieces, which together are the whole', async () => {
    const source = `// 😀${'<'.repeat(900)}\n`.repeat(100)
    const { html, text } = await highlight(source, 'javascript')
    expect(html.length).toBeGreaterThan(256 * 1024)
    expect(text).toBe(source)
  })

  test.skipIf(process.platform !== 'linux')('tells how long it worked', async () => {
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const { promise: done, resolve: finish } = Promise.withResolvers<void>()
    let atStart = 0
    const child = spawnReal(
      'quick',
      (result) => {
        if ('isStarted' in result) atStart = child.processorMs() ?? Number.NaN
        if ('residentBytes' in result) finish()
      },
      resolve,
    )
    child.send({ text: 'let a = [1, "b", c]\n'.repeat(5000), language: 'javascript' })
    await done
    const atEnd = child.processorMs() ?? Number.NaN
    expect(atStart).toBeGreaterThan(0)
    expect(atEnd).toBeGreaterThan(atStart + 50)
    child.kill()
    await ended
    expect(child.processorMs()).toBeUndefined()
  })
})

test('the tokeniser colours a line to its end, however much time passes meanwhile', async () => {
  const tokenise = await createRenderer()
  const job = { text: 'let a = [1, "b", c] // d', language: 'javascript' }
  const expected = await tokenise(job, () => {})
  let now = 0
  const clock = spyOn(Date, 'now').mockImplementation(() => {
    now += 60_000
    return now
  })
  try {
    expect(await tokenise(job, () => {})).toEqual(expected)
  } finally {
    clock.mockRestore()
  }
})

describe('texts that are compared', () => {
  const renderer = createRenderer()
  const line = 'let a = [1, "b", c] // d\n'
  const compare = async (text: string, language: string, other = text.replace('1', '2'), as = language) => {
    const early: string[] = []
    const job = { text, language, compare: { text: other, language: as, as: 'unified' } } as const
    const onEarly = ({ html }: Lines) => void early.push(html.join(''))
    const { html } = await (await renderer)(job, () => {}, onEarly)
    return { early, html: html.join('') }
  }

  test('have colours, each text those of its own language, and rows without them before', async () => {
    const { early, html } = await compare('const a = 1\n', 'javascript', '# two\n', 'python')
    expect(html).toContain('<del data-a=1><i>&minus;</i><span class=t2>const</span> <span')
    expect(html).toContain('<ins data-b=1><i>+</i><span class=t1># two</span></ins>')
    expect(early).toEqual([expect.stringContaining('<del data-a=1><i>&minus;</i>const a = 1</del>')])
    expect((await compare('plain\n', 'text', '# two\n', 'python')).html).toContain('</i>plain</del>')
  })

  test.each([
    ['of logs', line, 'log'],
    ['of diffs', `+ ${line}`, 'diff'],
    ['of long texts', line.repeat(6000), 'javascript'],
  ])('have no colours in the language %s', async (_, text, language) => {
    const { early, html } = await compare(text, language)
    expect([early, html]).toEqual([[], expect.stringContaining('<mark>2</mark>')])
    expect(html).not.toContain('<span')
  })
})
