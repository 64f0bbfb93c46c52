import { describe, expect, test } from 'bun:test'
import {
  belongsToLineBefore,
  isFrameOfTrace,
  levelOfKind,
  looksLikeLog,
  readLog,
} from '../../src/highlight/log/read-log.ts'
import { levels } from '../../src/highlight/show.ts'

const read = (text: string) => {
  const steps = readLog(text)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Each line as `error`, `+error` if it belongs to the line before, `~error` if it is a frame, and `-` without a level. */
const shapeOf = (text: string) =>
  [...read(text).kinds].map((kind) => {
    const level = levels[levelOfKind(kind)] ?? '-'
    if (isFrameOfTrace(kind)) return `~${level}`
    return belongsToLineBefore(kind) ? `+${level}` : level
  })

const traces: Record<string, [line: string, shape: string][]> = {
  Java: [
    ['14:02:11 ERROR it broke', 'error'],
    ['java.lang.IllegalStateException: closed', '+error'],
    ['\tat org.example.A.b(A.java:1)', '~error'],
    ['\t... 22 more', '~error'],
    ['Caused by: java.io.IOException: full', '+error'],
    ['\tSuppressed: java.lang.Exception', '~error'],
    ['14:02:12 INFO on', 'info'],
  ],
  'Java without a line before': [
    ['Exception in thread "main" java.lang.NullPointerException', 'error'],
    ['\tat A.main(A.java:1)', '~error'],
  ],
  Python: [
    ['2026-11-23 14:02:11 ERROR it broke', 'error'],
    ['Traceback (most recent call last):', '+error'],
    ['  File "a.py", line 1, in <module>', '~error'],
    ['    raise ValueError("ERROR")', '~error'],
    ['          ^^^^^^^^^^', '~error'],
    ['ValueError: ERROR', '+error'],
    ['', '-'],
    ['During handling of the above exception, another exception occurred:', '+error'],
    ['', '-'],
    ['Traceback (most recent call last):', '+error'],
    ['  File "a.py", line 2, in <module>', '~error'],
    ['app.Broken', '+error'],
    ['done', '-'],
  ],
  'Node.js': [
    ['/srv/app.js:3', '-'],
    ["    throw new TypeError('x')", '+-'],
    ['    ^', '+-'],
    ['', '-'],
    ['TypeError: x', 'error'],
    ['    at main (/srv/app.js:3:11)', '~error'],
    ["  code: 'ENOENT'", '~error'],
  ],
  Go: [
    ['panic: runtime error: index out of range', 'fatal'],
    ['', '-'],
    ['goroutine 1 [running]:', '+fatal'],
    ['main.(*Store).Write(0x0, {0x1, 0x2})', '~fatal'],
    ['\t/srv/store.go:12 +0x1d', '~fatal'],
    ['created by main.main in goroutine 1', '+fatal'],
    ['\t/srv/main.go:3 +0x25', '~fatal'],
    ['exit status 2', '+fatal'],
  ],
  '.NET': [
    ['fail: Shop[0]', 'error'],
    ['      System.Exception: no card', '+error'],
    ['       ---> System.IO.IOException: full', '+error'],
    ['         at Shop.Pay() in /src/Shop.cs:line 3', '~error'],
    ['--- End of stack trace from previous location ---', '+error'],
    ['info: Shop[0]', 'info'],
  ],
  Ruby: [
    ["app.rb:3:in `pay': no card (RuntimeError)", 'error'],
    ["\tfrom app.rb:7:in `<main>'", '~error'],
  ],
  'Ruby after an error': [
    ['E, [2026-11-23T14:02:11.1 #7] ERROR -- : no card', 'error'],
    ["app/models/card.rb:3:in `pay'", '~error'],
    ["app/models/shop.rb:7:in 'Shop#pay'", '~error'],
  ],
  Rust: [
    ["thread 'main' panicked at src/main.rs:2:5:", 'error'],
    ['no card', '+error'],
    ['stack backtrace:', '+error'],
    ['   0: rust_begin_unwind', '~error'],
    ['             at /rustc/1/std.rs:1', '~error'],
  ],
  PHP: [
    ['PHP Fatal error:  Uncaught Exception: no card', 'error'],
    ['Stack trace:', '+error'],
    ['#0 /srv/a.php(3): pay()', '~error'],
    ['#1 {main}', '~error'],
    ['  thrown in /srv/a.php on line 3', '~error'],
  ],
}

describe('a stack trace', () => {
  test.each(Object.entries(traces))('of %s belongs to the line before it', (_, lines) => {
    const shape = shapeOf(lines.map(([line]) => `${line}\n`).join(''))
    expect(shape).toEqual(lines.map(([, expected]) => expected))
  })

  test('is one error in the counts', () => {
    const [java = []] = [traces.Java]
    expect(read(java.map(([line]) => line).join('\n')).facts.counts).toEqual({ info: 1, error: 1 })
  })

  test('is none where indented lines have times of their own', () => {
    expect(shapeOf('ERROR a\n  14:02:11 INFO b\n  14:02:12 c\n  d\n')).toEqual(['error', 'info', '-', '+-'])
  })
})

describe('terminal text', () => {
  test.each([
    ['\x1b[2m14:02:11\x1b[0m \x1b[32mINFO\x1b[0m a\n\x1b[2m14:02:12\x1b[0m b\n', true],
    ['\x1b[31merror\x1b[0m: a\nwarning: b\nc\n', true],
    ['\x1b[1m✓\x1b[0m passes\n\x1b[1m✓\x1b[0m passes\nFAIL one\n', false],
    ['', false],
    ['one line with ERROR', false],
  ])('%j is a log or not: %p', (text, isLog) => expect(looksLikeLog(text)).toBe(isLog))
})
