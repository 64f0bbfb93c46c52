import { afterEach, beforeEach, describe, expect, mock, spyOn, test } from 'bun:test'
import { storedPaste, withFakeHighlighter } from '../support/renderer.ts'

const textOf = async (response: Promise<Response>) => (await response).text()
/** Lets everything that waits for nothing else come to its end. */
const settled = async () => {
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
}

describe('renderings of one page', () => {
  test('are one, however many ask for it at once, and all get it highlighted', async () => {
    const { page, job, jobs } = withFakeHighlighter()
    const paste = storedPaste({ text: 'a'.repeat(200_000) })
    const readers = Array.from({ length: 8 }, () => textOf(page(paste)))
    ;(await job(0)).finish('<b>highlighted</b>')
    for (const html of await Promise.all(readers)) expect(html).toContain('<b>highlighted</b>')
    expect(await textOf(page(paste))).toContain('<b>highlighted</b>')
    expect(jobs).toHaveLength(1)
  })

  test('are one for each language, of which the first is the own', async () => {
    const { page, job, jobs } = withFakeHighlighter()
    const paste = storedPaste()
    const readers = ['', '?lang=python', '?lang=c', '?lang=py'].map((query) => textOf(page(paste, {}, query)))
    for (const at of [0, 1, 2]) {
      const { language, finish } = await job(at)
      finish(`<b>${language}</b>`)
    }
    const pages = await Promise.all(readers)
    for (const [at, language] of ['javascript', 'python', 'c', 'python'].entries())
      expect(pages[at]).toContain(`<b>${language}</b>`)
    expect(jobs.map(({ isUsual }) => isUsual)).toEqual([true, false, false])
  })

  test('of a changed paste are others', async () => {
    const { page, job } = withFakeHighlighter()
    const [first, second] = [page(storedPaste()), page(storedPaste({ text: 'let b' }))]
    ;(await job(0)).finish('<b>one</b>')
    ;(await job(1)).finish('<b>two</b>')
    expect(await textOf(first)).toContain('<b>one</b>')
    expect(await textOf(second)).toContain('<b>two</b>')
  })
})

describe('a page that is highlighted too late', () => {
  test('is plain for now, and is kept for the next reader when it is there', async () => {
    const { page, job, jobs } = withFakeHighlighter()
    const paste = storedPaste()
    const reading = textOf(page(paste))
    const later = (await job(0)).delay()
    expect(await reading).toContain('<li id=L1>let a')
    expect(await reading).toMatch(/id="plain".*highlighting took too long\..*<a href="">Try again<\/a>/s)
    later.finish('<b>late</b>')
    await settled()
    const highlighted = await textOf(page(paste))
    expect(highlighted).toContain('<b>late</b>')
    expect(highlighted).not.toContain('id="plain"')
    expect(jobs).toHaveLength(1)
  })

  test('is not tried again while it is being made', async () => {
    const { page, job, jobs } = withFakeHighlighter()
    const paste = storedPaste()
    const reading = page(paste)
    const later = (await job(0)).delay()
    await reading
    expect(await textOf(page(paste))).toContain('<li id=L1>let a')
    expect(jobs).toHaveLength(1)
    later.finish('')
  })

  test('is tried by the next reader where it only waited for others', async () => {
    const { page, job } = withFakeHighlighter()
    const paste = storedPaste()
    const first = textOf(page(paste))
    ;(await job(0)).giveUp()
    expect(await first).toContain('<li id=L1>let a')
    const second = textOf(page(paste))
    ;(await job(1)).finish('<b>now</b>')
    expect(await second).toContain('<b>now</b>')
  })
})

describe('a page that cannot be highlighted', () => {
  let clock = 1000
  beforeEach(() => {
    spyOn(performance, 'now').mockImplementation(() => clock)
  })
  afterEach(() => {
    mock.restore()
  })

  test.each([false, true])('is not tried again for a minute, whether it failed late: %p', async (isLate) => {
    const { page, job, jobs } = withFakeHighlighter()
    const paste = storedPaste()
    const reading = page(paste)
    const begun = await job(0)
    if (isLate) begun.delay().fail()
    else begun.fail()
    await reading
    await settled()
    clock += 59_000
    const plain = await textOf(page(paste))
    expect(plain).toContain('<li id=L1>let a')
    expect(plain).toMatch(/id="plain".*took too long, or failed\..*Try again<\/a> in a minute/s)
    expect(jobs).toHaveLength(1)
    clock += 2000
    const again = textOf(page(paste))
    ;(await job(1)).finish('<b>now</b>')
    expect(await again).toContain('<b>now</b>')
  })
})

describe('a language that is none', () => {
  test('is answered with the paste in its own, and the nearest: under a tag of its own, to a browser', async () => {
    const { page, job, jobs } = withFakeHighlighter()
    const paste = storedPaste()
    const readers = ['?lang=pythn', '?lang=pythonn', ''].map((query) => page(paste, {}, query))
    for (const at of [0, 1]) (await job(at)).finish('<b>own</b>')
    const [mistyped, other, own] = await Promise.all(readers)
    const html = (await mistyped?.text()) ?? ''
    expect(html).toContain('<b>own</b>')
    expect(html).toMatch(/id="unknown-language".*<a href="\?lang=python">python<\/a>/s)
    expect(await other?.text()).toBe(html)
    expect(await own?.text()).not.toContain('unknown-language')
    const tagOf = (response: Response | undefined) => response?.headers.get('ETag')
    expect(tagOf(other)).toBe(tagOf(mistyped) as string)
    expect(tagOf(own)).not.toBe(tagOf(mistyped) as string)
    expect(jobs.map(({ isUsual }) => isUsual)).toEqual([true, true])
  })

  test('stays named where the page is plain', async () => {
    const { page, job } = withFakeHighlighter()
    const reading = textOf(page(storedPaste(), {}, '?lang=pythn'))
    ;(await job(0)).giveUp()
    expect(await reading).toMatch(/id="plain".*id="unknown-language"/s)
  })
})

describe('a text that is too large to be highlighted', () => {
  test('has one page, whatever language is asked for', async () => {
    const { page, jobs } = withFakeHighlighter({ maxChars: 4 })
    const paste = storedPaste()
    const pages = await Promise.all(['', '?lang=python', '?lang=ansi'].map((query) => page(paste, {}, query)))
    expect(new Set(pages.map(({ headers }) => headers.get('ETag'))).size).toBe(1)
    for (const one of pages) {
      const html = await one.text()
      expect(html).toContain('<li>JavaScript</li>')
      expect(html).toMatch(/id="plain".*too large to be highlighted/s)
      expect(html).not.toContain('Try again')
    }
    expect(jobs).toEqual([])
  })
})

describe('the lines with a word', () => {
  const text = 'let a\nlet b\nlet <A>'
  const paste = storedPaste({ text })

  test.each(['fail', 'giveUp'] as const)('are the whole text where the highlighter can %s', async (how) => {
    const { page, job } = withFakeHighlighter()
    const reading = ['?grep=a', '?grep=a&level=error'].map((query) => textOf(page(paste, {}, query)))
    for (const at of [0, 1]) (await job(at))[how]()
    const [whole, less] = await Promise.all(reading)
    expect(whole).toMatch(/id="plain".*Shown as plain text:.*<li id=L1>let a\n<li id=L2>let b\n<li id=L3>/s)
    expect(whole).not.toContain('id="filtered"')
    expect(whole).not.toContain('id="ignored"')
    expect(less).toMatch(/id="plain".*id="ignored"/s)
  })

  test('of a text that is too large for colours are shown without them', async () => {
    const { page, job } = withFakeHighlighter({ maxChars: 4 })
    const reading = textOf(page(paste, {}, '?grep=a'))
    const { language, finish } = await job(0)
    expect(language).toBe('text')
    finish('<b>found</b>')
    expect(await reading).toMatch(/too large to be highlighted.*Only lines that contain.*<b>found<\/b>/s)
  })

  test('are other pages for other words', async () => {
    const { page, job } = withFakeHighlighter()
    const reading = ['a', 'b'].map((word) => textOf(page(paste, {}, `?grep=${word}`)))
    for (const at of [0, 1]) (await job(at)).finish(`<b>${at}</b>`)
    expect((await Promise.all(reading)).map((html) => /<b>.<\/b>/.exec(html)?.[0])).toEqual([
      '<b>0</b>',
      '<b>1</b>',
    ])
  })
})

describe('large pages in many languages', () => {
  test('are not all held by slow readers: beyond their pool the others get the own one', async () => {
    const { page, job } = withFakeHighlighter()
    const paste = storedPaste()
    const read = async (language: string, at: number) => {
      const reading = page(paste, {}, `?lang=${language}`)
      ;(await job(at)).finish(`<b>${language}</b>${'x'.repeat(9_000_000)}`)
      return reading
    }
    const slow = await read('python', 0)
    const reader = slow.body?.getReader()
    await reader?.read()
    // Of the same page there may be any number.
    expect(await textOf(page(paste, {}, '?lang=python'))).toContain('<b>python</b>')
    const second = textOf(read('c', 1))
    ;(await job(2)).finish('<b>own</b>')
    expect(await second).toContain('<b>own</b>')
    await reader?.cancel()
    expect(await textOf(read('go', 3))).toContain('<b>go</b>')
    expect(await textOf(read('lua', 4))).toContain('<b>lua</b>')
  })
})
