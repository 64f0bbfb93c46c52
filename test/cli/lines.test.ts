import { describe, expect, test } from 'bun:test'
import { createLines } from '../../src/cli/terminal.ts'
import type { Output } from '../../src/output.ts'

const nasty = 'x\x1b[31m\n\x9b\u202ey'
const wipe = '\r\x1b[K'

const createScreen = (failure?: NodeJS.ErrnoException, waiting = 0) => {
  const screen: string[] = []
  const output: Output = {
    put: (_, data) => screen.push(String(data)),
    room: async () => {
      if (failure) throw failure
    },
    flushed: async () => {},
    waiting: () => waiting + screen.join('').length,
    failureOf: () => failure,
    giveUp: () => {},
  }
  return { screen, lines: (isWatched: boolean) => createLines(output, isWatched) }
}

describe('what a command prints', () => {
  test('holds no control character of others, whichever way it goes', () => {
    const { screen, lines } = createScreen()
    const { print, printError, printJson, progress, prompt } = lines(true)
    print(nasty)
    printError(nasty)
    printJson(nasty)
    prompt(nasty)
    expect(screen).toEqual(['x [31m y\n', 'x [31m y\n', '"x\\u001b[31m\\n\\u009b\\u202ey"\n', 'x [31m y'])
    progress(nasty)
    expect(screen.at(-1)).toBe(`${wipe}x [31m y`)
  })

  test('comes in place of how far the work is, on either output', () => {
    const { screen, lines } = createScreen()
    const { print, printError, progress } = lines(true)
    progress('half')
    print('a')
    print('b')
    progress('most')
    printError('c')
    progress('')
    expect(screen.join('')).toBe(`${wipe}half${wipe}a\nb\n${wipe}most${wipe}c\n`)
  })

  test('is no progress while a terminal stands still, so that nothing piles up', () => {
    const { screen, lines } = createScreen(undefined, 20_000)
    lines(true).progress('half')
    expect(screen).toEqual([])
  })

  test('is progress to its end where a terminal is slow: all percents may wait', () => {
    const { screen, lines } = createScreen()
    const { progress } = lines(true)
    for (let percent = 0; percent <= 100; percent++)
      progress(`/home/anna/notes/a-file-with-a-long-name.txt: ${percent} % of 5 MiB sent`)
    expect(screen.at(-1)).toContain(': 100 %')
  })

  test('is the same progress only once', () => {
    const { screen, lines } = createScreen()
    const { progress, print } = lines(true)
    progress('half')
    progress('half')
    print('a')
    progress('half')
    expect(screen).toEqual([`${wipe}half`, wipe, 'a\n', `${wipe}half`])
  })

  test('is no progress where nobody watches', () => {
    const { screen, lines } = createScreen()
    lines(false).progress('half')
    expect(screen).toEqual([])
  })
})

describe('standard output that has failed', () => {
  const failed = (code: string) => createScreen(Object.assign(new Error(`${code}: as Bun says it`), { code }))

  test.each([
    ['ENOSPC', 'the disk is full (ENOSPC); free some space and try again'],
    ['EBADF', 'it is closed (EBADF); write to another place'],
    ['EWHAT', 'EWHAT: as Bun says it; write to another place'],
  ])('is told once, for %s', (code, says) => {
    const { screen, lines } = failed(code)
    const { tellUnwritten } = lines(false)
    expect([tellUnwritten(), tellUnwritten()]).toEqual([true, true])
    expect(screen).toEqual([`shortcrust: cannot write to standard output: ${says}.\n`])
  })
})
