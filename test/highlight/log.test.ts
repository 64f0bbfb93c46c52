import { describe, expect, test } from 'bun:test'
import {
  belongsToLineBefore,
  isFrameOfTrace,
  levelOfKind,
  levels,
  looksLikeLog,
  readLog,
} from '../../src/highlight/log.ts'

const levelsOf = (text: string) => Object.entries(readLog(text).facts.counts)
const levelOf = (line: string) => levelsOf(line)[0]?.[0]

const twice = (line: string) => `${line}\n${line}\n`

describe('a text that may be a log', () => {
  test.each([
    ['\x1b[2m14:02:11\x1b[0m \x1b[32mINFO\x1b[0m a\n\x1b[2m14:02:12\x1b[0m b\n', true],
    ['\x1b[31merror\x1b[0m: a\nwarning: b\nc\n', true],
    ['\x1b[1m✓\x1b[0m passes\n\x1b[1m✓\x1b[0m passes\nFAIL one\n', false],
    [twice('{"level":30,"time":1795450000000,"msg":"pino"}'), true],
    [twice('{"time":"2026-11-24T08:00:00Z","level":"ERROR","msg":"slog"}'), true],
    [twice('{"log":"started\\n","stream":"stdout","time":"2026-11-24T08:00:00Z"}'), true],
    [twice('{"timestamp":1795450000,"level":3,"short_message":"gelf"}'), true],
    [twice('{"level":"beginner","time":"2 h","course":"French"}'), false],
    [twice('{"level":3,"time":1795450000,"player":"Ann"}'), false],
    [twice('{"level":3.5,"time":1795450000,"river":"Main"}'), false],
    [twice('{"level":"error","msg":"no time"}'), false],
    [twice('{"level":"A","date":"2026-01-01","course":"German"}'), false],
    [twice('{"level":"A","date":"2026-01-01T10:00:00Z","course":"German"}'), false],
    [twice('{"level":"info","date":"2026-01-01","course":"German"}'), false],
    [twice('{"t":"2026-01-01T10:00:00Z","s":"E","v":2}'), false],
    [twice('{"date":"2026-01-01","s":"W"}'), false],
    [twice('{"level":12,"time":1795450000,"player":"Bob"}'), false],
    [twice('{"level":"fine","time":"10:00:00","hotel":"Astoria"}'), false],
    [twice('{"level":10,"time":95.2,"player":"Bob"}'), false],
    [twice('{"t":{"$date":"2026-11-23T14:02:11.000+00:00"},"s":"W","c":"NETWORK"}'), true],
    [twice('{"PRIORITY":"3","__REALTIME_TIMESTAMP":"1764000000000000","MESSAGE":"a"}'), true],
    [twice('{"@t":"2026-11-23T14:02:11Z","@l":"Error","@m":"serilog"}'), true],
    [twice('{"severity":"ERROR","timestamp":{"seconds":1764000000,"nanos":0},"message":"cloud"}'), true],
    ['', false],
    ['one line with ERROR', false],
  ])('%j is a log or not: %p', (text, isLog) => expect(looksLikeLog(text)).toBe(isLog))
})

describe('the level of a line', () => {
  test.each([
    ['2026-11-23T14:02:11.123Z ERROR [main] it broke', 'error'],
    ['2026-11-23 14:02:11,123 - root - WARNING - careful', 'warn'],
    ['[2026-11-23 14:02:11,123: ERROR/MainProcess] task failed', 'error'],
    ['14:02:11.123 [main] INFO  org.example.Main - no ERROR found', 'info'],
    ['[14:02:11 WRN] disk is at 91 %', 'warn'],
    ['2026/11/23 14:02:11 [error] 7#7: *1 open() failed', 'error'],
    ['[Mon Nov 23 14:02:11.123456 2026] [core:error] [pid 7] AH00126', 'error'],
    ['Nov 23 14:02:11 nas kernel: EXT4-fs error (device sda1): bad block', 'error'],
    ['[   12.345678] BTRFS warning (device sda1): slow', 'warn'],
    ["[08:00:00] [Server thread/WARN]: Can't keep up!", 'warn'],
    ['[24Nov2026 08:00:00.123] [main/ERROR] [mixin/]: broken', 'error'],
    ['[2026-11-24 08:00:00] production.ERROR: no card {"id":1}', 'error'],
    ['ERROR: no such file', 'error'],
    ['ERROR: 0x80070005', 'error'],
    ['Nov 23 14:02:11 nas app[7]: level=warn msg="slow"', 'warn'],
    ['time="2026-11-23T14:02:11Z" level=fatal msg="no disk"', 'fatal'],
    ['2026-11-23 14:02:11.123 UTC [7] FATAL:  the database is starting up', 'fatal'],
    ['SEVERE: could not start', 'error'],
    ['FINER: entering', 'trace'],
  ])('%s is by its words', (line, level) => expect(levelOf(line)).toBe(level))

  test.each([
    ['<3>usb 1-1: device not responding', 'error'],
    ['<4>thermal: throttled', 'warn'],
    ['<34>1 2026-11-23T14:02:11.003Z nas su - ID47 - failed', 'fatal'],
    ['<165>1 2026-11-23T14:02:11Z nas app 7 - - started', 'notice'],
    ['<7>x', 'debug'],
    ['<999>x', undefined],
  ])('%s is by the priority of syslog', (line, level) => expect(levelOf(line)).toBe(level))

  test.each([
    ['{"level":50,"time":1795450000000,"msg":"pino"}', 'error'],
    ['{"level":60,"msg":"a"}', 'fatal'],
    ['{"level":10,"msg":"ERROR"}', 'trace'],
    ['{"level":"warn","msg":"zap"}', 'warn'],
    ['{"severity":"CRITICAL","message":"cloud"}', 'fatal'],
    ['{"lvl":"eror","t":"2026"}', 'error'],
    ['{"version":"1.1","level":3,"short_message":"gelf"}', 'error'],
    ['{"t":{"$date":"2026-11-23T14:02:11Z"},"s":"W","c":"NETWORK"}', 'warn'],
    ['{"@t":"2026-11-23","@l":"Error","@m":"serilog"}', 'error'],
    ['{"log":"started","stream":"stdout"}', undefined],
    ['{"log":"ERROR \\"boom\\"\\n","stream":"stderr"}', 'error'],
    ['{"log":"{\\"level\\":\\"warn\\"}\\n","stream":"stderr"}', 'warn'],
    ['{"log":"\\u001b[33mWARN\\u001b[0m slow\\n","stream":"stdout"}', 'warn'],
    ['{"__CURSOR":"a","PRIORITY":"3","MESSAGE":"a"}', 'error'],
    ['{"priority":1,"task":"tidy up"}', undefined],
    [`{"@version":"1","message":"${'long '.repeat(100)}","level":"ERROR"}`, 'error'],
    ['{"ctx":{"level":3},"lvl":"info"}', 'info'],
    ['{"ctx":{"level":3},"msg":"a"}', undefined],
    ['{"tags":["a",{"level":"error"}],"level":"debug"}', 'debug'],
    ['{"msg":"\\"level\\":\\"error\\" {","level":"info"}', 'info'],
    ['{"text":"an ERROR without a field"}', undefined],
  ])('%s is by its field', (line, level) => expect(levelOf(line)).toBe(level))

  test.each([
    ['E1123 14:02:11.123456       7 pod.go:12] failed', 'error'],
    ['W20261123 14:02:11.123456 7 main.cc:3] slow', 'warn'],
    ['E/ActivityManager( 123): not responding', 'error'],
    ['11-23 14:02:11.123  1234  5678 W Zygote: slow', 'warn'],
    ['[E] no route', 'error'],
    ['2026-11-23T14:02:11.123+0000 I NETWORK  [conn1] end', 'info'],
    ['E is the fifth letter', undefined],
  ])('%s is by its letter', (line, level) => expect(levelOf(line)).toBe(level))

  test.each([
    ['web-1  | {"level":40,"msg":"a"}', 'warn'],
    ['db-1  | <3>a', 'error'],
    ['[pod/shop-7f/web] E1123 14:02:11.123456 7 a.go:1] b', 'error'],
    ['2026-11-23T14:02:11.123456789Z stderr F {"level":"error"}', 'error'],
    ['2026-11-23T14:02:11.123456789Z {"level":"debug"}', 'debug'],
    ['Nov 23 14:02:11 nas shop[7]: {"level":50}', 'error'],
    ['Nov 23 14:02:11 nas shop[7]: E/Tag: a', 'error'],
    ['Nov 23 14:02:11 nas kubelet[1]: E1123 14:02:11.123456 1 pod.go:12] failed', 'error'],
    ['Nov 23 14:02:11 nas shop[7]: 2026-11-23 14:02:11 {"level":50}', 'error'],
    ['2026-11-23T14:02:11.123456789Z 2026-11-23 14:02:11 {"level":40}', 'warn'],
    ['ERROR | no card', 'error'],
    ['2026-11-23T14:02:11+0100 nas shop[7]: warning: low on memory', 'warn'],
  ])('%s is found behind what a container or the journal put before it', (line, level) => {
    expect(levelOf(line)).toBe(level)
  })

  test.each([
    ['fail: Microsoft.AspNetCore.Server.Kestrel[13]', 'error'],
    ['warn: Microsoft.Hosting[0]', 'warn'],
    ['npm error code E404', 'error'],
    ['npm ERR! missing script', 'error'],
    ['error Command failed with exit code 1.', 'error'],
    ['warning: unused variable: `a`', 'warn'],
    ['error[E0382]: borrow of moved value', 'error'],
    ['main.c:3:5: error: expected expression', 'error'],
    ['(warn) low space', 'warn'],
    ['app | debug | started', 'debug'],
  ])('%s is by a small word where a level stands', (line, level) => expect(levelOf(line)).toBe(level))

  test.each([
    'The error was not found in the information',
    'ERROR_CODE=7',
    'see https://example.org/errors/error.html',
    'terror: the movie',
    'GET /error HTTP/1.1',
    'const error = new Foo()',
    'a.ERROR',
    'finer points of debugging',
    'Alert rules loaded',
    '14:02:11 critical section entered',
    'Error rate is 0%',
    '14:02:11 no error: fine',
    'STATUS=OK ERR=0',
    'checked: FATAL: 0, ERROR: 0',
    'result=7 error: none',
    'compression level: 3',
    'a/ERROR b',
    '',
    '1234567890',
  ])('%j has none', (line) => expect(levelsOf(`${line}\n`)).toEqual([]))

  test.each([
    ['\x1b[31mERROR\x1b[0m red', 'error'],
    ['\x1b[2m2026-11-23T14:02:11Z\x1b[0m \x1b[33m WARN\x1b[0m app: x', 'warn'],
    ['\x1b[1;31m[error]\x1b[m x\r', 'error'],
  ])('%j is the one that a terminal shows', (line, level) => expect(levelOf(line)).toBe(level))
})

describe('the times of a log', () => {
  const timesOf = (...lines: string[]) => readLog(lines.join('\n')).facts.times

  test.each([
    [['2026-11-23T14:02:11Z a', 'x', '2026-11-23T16:40:03Z b', ''], '14:02:11 to 16:40:03, 2 h 38 min'],
    [['2026-11-23 14:02:11 a', '2026-11-23 14:02:12 b'], '14:02:11 to 14:02:12, 1 s'],
    [
      ['2026-11-22 23:59:00 a', '2026-11-24 00:59:00 b'],
      '2026-11-22 23:59:00 to 2026-11-24 00:59:00, 1 d 1 h',
    ],
    [['Nov 23 14:02:11 nas a: b', 'Nov 23 14:12:16 nas a: b'], '14:02:11 to 14:12:16, 10 min 5 s'],
    [['Dec 31 23:00:00 nas a: b', 'Jan  1 01:00:00 nas a: b'], '12-31 23:00:00 to 01-01 01:00:00, 2 h'],
    [['E1123 14:02:11.5 7 a] b', 'I1123 14:02:12.4 7 a] b'], '14:02:11 to 14:02:12, 1 s'],
    [
      ['127.0.0.1 - - [23/Nov/2026:14:02:11 +0100] "GET /"', '::1 - - [23/Nov/2026:14:03:11 +0100] "GET /"'],
      '14:02:11 to 14:03:11, 1 min',
    ],
    [['[14:02:11] a', '14:02:41 b'], '14:02:11 to 14:02:41, 30 s'],
    [['23:59:59 a', '00:00:01 b'], '23:59:59 to 00:00:01'],
    [
      ['{"level":30,"time":1795450000000}', '{"level":30,"time":1795450060000}'],
      '16:06:40 to 16:07:40 UTC, 1 min',
    ],
    [['ts=1795450000.5 level=info', 'ts=1795450001.5'], '16:06:40 to 16:06:41 UTC, 1 s'],
    [['1795450000: a', '1795450060: b'], '16:06:40 to 16:07:40 UTC, 1 min'],
    [['1795450000.123 45 10.0.0.1', '1795450060.123 45 10.0.0.1'], '16:06:40 to 16:07:40 UTC, 1 min'],
    [
      ['{"time":1795450000000}', '{"time":1795536460000}'],
      '2026-11-23 16:06:40 to 2026-11-24 16:07:40 UTC, 1 d',
    ],
    [['{"time":1795450000000}', '[16:07:40] b'], '2026-11-23 16:06:40 UTC to 16:07:40'],
    [['08:00:01.100 a', '08:00:01.900 b'], '08:00:01'],
    [['2026-11-24 08:00:01.100 a', '2026-11-24 08:00:01.900 b'], '2026-11-24 08:00:01'],
    [['24.11.2026 08:00:00 a', '24.11.2026 08:01:00 b'], '08:00:00 to 08:01:00, 1 min'],
    [['24Nov2026 08:00:00.1 a', '25Nov2026 08:00:00 b'], '2026-11-24 08:00:00 to 2026-11-25 08:00:00, 1 d'],
    [['11/24/2026 8:00:00 AM a', '11/24/2026 1:00:00 PM b'], '8:00:00 AM to 1:00:00 PM, 5 h'],
    [
      ['11/05/2026 12:00:00 AM a', '11/06/2026 12:00:00 PM b'],
      '2026-11-05 12:00:00 AM to 2026-11-06 12:00:00 PM, 1 d 12 h',
    ],
    [['24/11/2026 08:00:00 a', '25/11/2026, 08:00:00 b'], '2026-11-24 08:00:00 to 2026-11-25 08:00:00, 1 d'],
    [['[   12.345678] a', '[   99.345678] b'], '12.345678 to 99.345678, 1 min 27 s'],
    [['2026-11-23T14:00:00Z a', '2026-11-23T16:00:00+02:00 b'], '2026-11-23 14:00:00'],
    [['2026-11-23T16:00:00Z newest', '2026-11-23T14:00:00Z first'], '16:00:00 to 14:00:00, 2 h'],
    [
      [
        '{"PRIORITY":"3","__REALTIME_TIMESTAMP":"1795450000000000"}',
        '{"__REALTIME_TIMESTAMP":"1795450060000000"}',
      ],
      '16:06:40 to 16:07:40 UTC, 1 min',
    ],
    [['{"t":1795450000}', '{"@t":1795450060123}'], '16:06:40 to 16:07:40 UTC, 1 min'],
    [['{"date":1795450000.5}', '{"ts":1795450060000000000}'], '16:06:40 to 16:07:40 UTC, 1 min'],
    [
      ['{"timestamp":{"seconds":1795450000}}', '{"eventTime":"1795450060"}'],
      '16:06:40 to 16:07:40 UTC, 1 min',
    ],
    [
      ['{"t":{"$date":"2026-11-23T14:02:11Z"},"s":"I"}', '{"t":{"$date":"2026-11-23T14:02:12Z"},"s":"I"}'],
      '14:02:11 to 14:02:12, 1 s',
    ],
    [['{"date":"2026-11-23","at":"2026-11-23 14:02:11"}'], '2026-11-23 14:02:11'],
    [['only 2026-11-23T16:00:00Z one'], '2026-11-23 16:00:00'],
  ])('%j are %s', (lines, times) => expect(timesOf(...lines)).toBe(times))

  const later = '2030-01-01T00:00:00Z'

  test.each([
    [
      `{"level":"info","msg":"cert expires ${later}","time":"2026-01-01T00:00:00Z"}`,
      '{"level":"info","msg":"a","time":"2026-01-01T00:05:00Z"}',
      '00:00:00 to 00:05:00, 5 min',
    ],
    [`{"msg":"until ${later}","ts":1795450000}`, '{"ts":1795450060}', '16:06:40 to 16:07:40 UTC, 1 min'],
    [
      `Jan  1 00:00:00 host app[1]: token expires ${later}`,
      'Jan  1 00:05:00 host app[1]: a',
      '00:00:00 to 00:05:00, 5 min',
    ],
    [`14:02:11 until ${later}`, `14:02:12 until ${later}`, '14:02:11 to 14:02:12, 1 s'],
    [`E1123 14:02:11.5 7 a] until ${later}`, 'I1123 14:02:12.5 7 a] b', '14:02:11 to 14:02:12, 1 s'],
    ['1795450000: a', '1795450060: cert until 2030-01-01 00:00:00', '16:06:40 to 16:07:40 UTC, 1 min'],
    [`ts=1795450000 until=${later}`, `ts=1795450060 until=${later}`, '16:06:40 to 16:07:40 UTC, 1 min'],
    [
      `::1 - - [23/Nov/2026:14:02:11 +0100] "GET /?from=${later}"`,
      `::1 - - [23/Nov/2026:14:03:11 +0100] "GET /?from=${later}"`,
      '14:02:11 to 14:03:11, 1 min',
    ],
    [
      '[    1.000000] rtc: setting system clock to 2026-01-01T00:00:00 UTC',
      '[    5.000000] x',
      '1.000000 to 5.000000, 4 s',
    ],
    ['[    1.000000] a', '[    5.000000] b\n2026-01-01T00:00:00Z c', '1.000000 to 5.000000, 4 s'],
  ])('are those of the lines, not what these are about: %j, %j', (first, last, times) =>
    expect(timesOf(first, last)).toBe(times),
  )

  test.each([
    [['no time here']],
    [['2026-99-99T99:99:99Z a']],
    [['Foo 23 14:02:11']],
    [['05/06/2026 08:00:00 a']],
    [['']],
  ])('of %j are not said', (lines) => expect(timesOf(...lines)).toBeUndefined())
})

/** Each line as `error`, `+error` if it belongs to the line before, `~error` if it is a frame, and `-` without a level. */
const shapeOf = (text: string) =>
  [...readLog(text).kinds].map((kind) => {
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
    expect(readLog(java.map(([line]) => line).join('\n')).facts.counts).toEqual({ info: 1, error: 1 })
  })

  test('is none where indented lines have times of their own', () => {
    expect(shapeOf('ERROR a\n  14:02:11 INFO b\n  14:02:12 c\n  d\n')).toEqual(['error', 'info', '-', '+-'])
  })
})
