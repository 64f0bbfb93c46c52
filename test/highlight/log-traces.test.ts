import { describe, expect, test } from 'bun:test'
import { belongsToLineBefore, isFrameOfTrace, levelOfKind, levels, readLog } from '../../src/highlight/log.ts'

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

  const carriers = [
    ['the journal', 'Nov 24 08:00:00 nas app[12]: '],
    ['a journal with another form of time', '2026-11-24T08:00:00+0100 nas app[12]: '],
    ['docker logs -t', '2026-11-24T08:00:00.123456789Z '],
    ['docker compose', 'app-1  | '],
    ['docker compose -t', 'app-1  | 2026-11-24T08:00:00.123456789Z '],
    ['a container runtime', '2026-11-24T08:00:00.123456789Z stderr F '],
    ['kubectl', '[pod/shop-7f/web] '],
  ] as const
  const languagesOfTraces = ['Java', 'Python', 'Go', '.NET', 'Rust', 'PHP', 'Ruby'] as const
  const carried = carriers.flatMap(([name, prefix]) =>
    languagesOfTraces.map((language) => [language, name, prefix] as const),
  )

  test.each(carried)('of %s has the same shape behind %s', (language, _, prefix) => {
    const lines = traces[language] ?? []
    const shape = shapeOf(lines.map(([line]) => `${prefix}${line}\n`).join(''))
    expect(shape).toEqual(lines.map(([, expected]) => expected))
  })

  test('of docker has the same shape inside its records', () => {
    const lines = traces.Python ?? []
    const records = lines.map(([line]) =>
      JSON.stringify({ log: `${line}\n`, stream: 'stderr', time: '2026' }),
    )
    expect(shapeOf(records.join('\n'))).toEqual(lines.map(([, expected]) => expected))
  })

  test('belongs to the record before of the same service or process', () => {
    const text = [
      'web-1  | ERROR boom',
      'db-1   | LOG:  ready',
      'web-1  | Traceback (most recent call last):',
      'db-1   |   indented',
      'web-1  |   File "a.py", line 1',
      'web-1  | ValueError: x',
      'web-1  | served',
    ]
    expect(shapeOf(text.join('\n'))).toEqual(['error', '-', '+error', '+-', '~error', '+error', '-'])
  })

  test('of Linux is of the error before it, and ends at the next line that is not indented', () => {
    const lines = [
      'BUG: unable to handle',
      'Call Trace:',
      ' <TASK>',
      ' ? die+0x2/0x7',
      ' oops+0x1/0x4',
      'usb 1-1: new',
    ]
    const text = lines.map((line) => `Nov 24 08:00:00 nas kernel: ${line}\n`).join('')
    expect(shapeOf(text)).toEqual(['error', '+error', '~error', '~error', '~error', '-'])
  })

  test('without the prefix belongs to the line before', () => {
    expect(shapeOf('Nov 24 08:00:00 nas app[1]: ERROR a\n\tat a.b\nNov 24 08:00:00 nas b[2]: c')).toEqual([
      'error',
      '~error',
      '-',
    ])
  })

  test('goes on behind a time of its own where a line is certainly of it', () => {
    const lines = [
      'ERROR boom',
      'Traceback (most recent call last):',
      '  File "a.py", line 1',
      'ValueError: x',
    ]
    const text = [...lines, 'ValueError: y', '  started'].map((line) => `08:00:00 ${line}`).join('\n')
    expect(shapeOf(text)).toEqual(['error', '+error', '~error', '+error', '-', '-'])
  })

  test.each([
    ['08:00:00 ERROR a: ValueError: b\n08:00:01 ERROR a: ValueError: b', ['error', 'error']],
    ['2026-11-24T08:00:00Z ERROR app[1]: IOError: b\n'.repeat(2), ['error', 'error']],
    ['08:00:00 ERROR a\n08:00:01   served', ['error', '-']],
    ['08:00:00 ERROR a\n08:00:01 #12 started', ['error', '-']],
    ['08:00:00 ERROR a\n\tat a.b\n08:00:01  INFO 1 --- b', ['error', '~error', 'info']],
    ['08:00:00 ERROR a\n\tat a.b\n08:00:01   served', ['error', '~error', '-']],
    ['08:00:00 ERROR a\n08:00:01   at a.b\n08:00:01  INFO b', ['error', '~error', 'info']],
    ['a-1  | ERROR a\na-1  | \tat a.b\na-1  | GET / 200', ['error', '~error', '-']],
    ['error[E0382]: borrow\n3 |   let a\n  |   ^ here\n10 | }', ['error', '-', '+-', '-']],
    ['#1 [internal] load build definition\n#2 [1/2] FROM debian', ['-', '-']],
    ['Nov 24 08:00:00 nas app[1]: ERROR a\nNov 24 08:00:01 nas app[1]: served', ['error', '-']],
  ])('is none in %j', (text, shape) => expect(shapeOf(text)).toEqual(shape))

  test.each([
    '24.11.2026 08:00:00',
    '11/24/2026 8:00:00 AM',
    '1732435200:',
    '[24Nov2026 08:00:00]',
    '[  12.345678]',
    '[ 1234.345678]',
  ])('ends before a line that begins with %s', (time) => {
    expect(shapeOf(`ERROR a\n\tat a.b\n${time} served\nc`)).toEqual(['error', '~error', '-', '-'])
  })

  test('is not what PostgreSQL says of an error, which belongs to it all the same', () => {
    const text = [
      '2026-11-24 08:00:00.123 UTC [7] ERROR:  no table "a" at character 15',
      '2026-11-24 08:00:00.123 UTC [7] STATEMENT:  select * from a',
      '2026-11-24 08:00:00.123 UTC [8] me@shop LOG:  ready',
      '2026-11-24 08:00:00.123 UTC [8] me@shop ERROR:  twice',
      '2026-11-24 08:00:00.123 UTC [8] me@shop DETAIL:  Key (id)=(1) exists.',
    ]
    expect(shapeOf(text.join('\n'))).toEqual(['error', '+error', '-', 'error', '+error'])
  })

  test('is one error in the counts', () => {
    const [java = []] = [traces.Java]
    expect(read(java.map(([line]) => line).join('\n')).facts.counts).toEqual({ info: 1, error: 1 })
  })

  test('is none where indented lines have times of their own', () => {
    expect(shapeOf('ERROR a\n  14:02:11 INFO b\n  14:02:12 c\n  d\n')).toEqual(['error', 'info', '-', '+-'])
  })
})
