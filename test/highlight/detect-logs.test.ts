import { describe, expect, test } from 'bun:test'
import { languageOfContent } from '../../src/highlight/languages/detect/detect-language.ts'

const logs: Record<string, readonly string[]> = {
  logcat: [
    '11-24 08:00:00.123  1234  5678 I ActivityManager: Start proc',
    '11-24 08:00:00.200  1234  5678 W Zygote  : slow',
    '11-24 08:00:01.123  1234  5678 E AndroidRuntime: FATAL EXCEPTION: main',
  ],
  'logcat in its brief form': [
    'I/ActivityManager( 1234): Start proc',
    'W/Zygote  (  12): slow',
    'E/AndroidRuntime( 1234): FATAL EXCEPTION: main',
  ],
  'npm before its version 10': [
    'npm ERR! code ELIFECYCLE',
    'npm ERR! errno 1',
    'npm ERR! shop@1.0.0 build: `tsc`',
    'npm ERR! Exit status 1',
  ],
  npm: [
    'npm error code E404',
    'npm error 404 Not Found - GET https://registry.npmjs.org/nope',
    'npm error 404',
    'npm error A complete log of this run can be found in: /x',
  ],
  '.NET': [
    'info: Microsoft.Hosting.Lifetime[14]',
    '      Now listening on: http://localhost:5000',
    'info: Microsoft.Hosting.Lifetime[0]',
    '      Application started. Press Ctrl+C to shut down.',
    'fail: Shop.Pay[0]',
    '      no card',
  ],
  'klog and a goroutine dump': [
    'I1124 08:00:00.123456       1 main.go:10] start',
    'E1124 08:00:01.123456       1 pod.go:12] failed',
    'panic: runtime error: index out of range',
    '',
    'goroutine 1 [running]:',
    'main.(*Store).Write(0x0, {0x1, 0x2})',
    '\t/srv/store.go:12 +0x1d',
    'main.run(...)',
    '\t/srv/main.go:9',
    'main.main()',
    '\t/srv/main.go:3 +0x25',
    'created by main.x in goroutine 7',
    '\t/srv/main.go:30 +0x25',
    'exit status 2',
  ],
  'a panic of Go': [
    'panic: runtime error: index out of range [5] with length 3',
    '',
    'goroutine 1 [running]:',
    'main.main()',
    '\t/srv/main.go:3 +0x25',
    'exit status 2',
  ],
  'a panic of Rust': [
    "thread 'main' panicked at src/main.rs:2:5:",
    'called `Option::unwrap()` on a `None` value',
    'note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace',
  ],
  'a panic of Rust with its frames': [
    "thread 'main' panicked at src/main.rs:2:5:",
    'no card',
    'stack backtrace:',
    '   0: rust_begin_unwind',
    '             at /rustc/1/std.rs:1',
    '   1: core::panicking::panic_fmt',
    '             at /rustc/1/core.rs:1',
    '   2: shop::main',
    '             at ./src/main.rs:2:5',
  ],
  'docker compose, without times': [
    'web-1  | Server started',
    'db-1   | ready for connections',
    'web-1  | GET / 200',
    'db-1   | checkpoint complete',
    'web-1  | GET /a 404',
  ],
  'docker compose, of several programs': [
    'web-1  | 2026-11-24 08:00:00 INFO start',
    'db-1   | 2026-11-24 08:00:00.123 UTC [1] LOG:  ready',
    'web-1  | Traceback (most recent call last):',
    'web-1  |   File "a.py", line 1, in <module>',
    'web-1  |     main()',
    'web-1  | ValueError: x',
    'cache-1  | 1:M 24 Nov 2026 08:00:00.000 * Ready',
  ],
  'a trace of Python': [
    'Traceback (most recent call last):',
    '  File "/srv/a.py", line 31, in pay',
    '    raise PaymentError("x")',
    '  File "/srv/b.py", line 8, in charge',
    '    return post(url)',
    'ValueError: card was declined',
  ],
  'a trace of Java': [
    'java.lang.IllegalStateException: closed',
    '\tat org.example.A.b(A.java:1)',
    '\tat org.example.A.c(A.java:2)',
    'Caused by: java.io.IOException: full',
    '\t... 22 more',
  ],
  'a trace of Node.js': [
    '/srv/app.js:3',
    "    throw new TypeError('x')",
    '    ^',
    '',
    'TypeError: x',
    '    at main (/srv/app.js:3:11)',
    '    at Module._compile (node:internal/modules/cjs/loader:1105:14)',
    '    at node:internal/main/run_main_module:22:47',
    '',
    'Node.js v22.1.0',
  ],
  'dates with dots': ['24.11.2026 08:00:00 Start', '24.11.2026 08:00:01 Fehler', '24.11.2026 08:00:02 Ende'],
  'dates with slashes': ['11/24/2026 8:00:00 AM start', '11/24/2026 8:00:01 AM b', '11/24/2026 8:00:02 AM c'],
  Mosquitto: [
    '1732435200: mosquitto version 2.0.18 starting',
    '1732435200: Config loaded from /mosquitto/config/mosquitto.conf.',
    '1732435201: New connection from 10.0.0.1',
  ],
  Forge: [
    '[24Nov2026 08:00:00.123] [main/INFO] [cpw/]: a',
    '[24Nov2026 08:00:01.123] [main/INFO] [cpw/]: b',
    '[24Nov2026 08:00:02.123] [main/ERROR] [cpw/]: c',
  ],
  Laravel: [
    '[2026-11-24 08:00:00] local.ERROR: no card {"exception":"[object] (Exception(code: 0): no card at /srv/a.php:3)',
    '[stacktrace]',
    '#0 /srv/a.php(3): pay()',
    '#1 {main}',
    '"} ',
    '[2026-11-24 08:00:00] local.INFO: x',
    '[2026-11-24 08:00:00] local.INFO: y',
  ],
}

const others: Record<string, readonly string[]> = {
  subtitles: [
    '1',
    '00:00:01,000 --> 00:00:04,000',
    'Hello there',
    '',
    '2',
    '00:00:05,000 --> 00:00:06,000',
    'Bye',
  ],
  'a table of psql': [' id | name', '----+------', ' 1  | a', ' 2  | b'],
  'a table with numbered rows': ['row-1 | 3', 'row-2 | 4', 'row-3 | 5'],
  'a trace in Markdown': [
    '# Bug',
    '',
    'It breaks when I pay:',
    '',
    '    Traceback (most recent call last):',
    '      File "a.py", line 1',
    '    ValueError: x',
    '',
    'What can I do? I tried again and it still breaks.',
  ],
  'notes of errors': [
    'Error handling notes:',
    '  at noon call Ann',
    '  at nine call Ben',
    '  at ten call Cy',
  ],
  'YAML whose names are levels': ['info: a', 'warn: b', 'error: c'],
  'days without times': ['24.11.2026 meet Ann', '25.11.2026 meet Ben', '26.11.2026 c'],
}

describe('a log', () => {
  test.each(Object.entries(logs))('is %s', (_, lines) =>
    expect(languageOfContent(lines.join('\n'))).toBe('log'),
  )

  test.each(Object.entries(others))('is not %s', (_, lines) => {
    expect(languageOfContent(lines.join('\n'))).not.toBe('log')
  })
})
