import { describe, expect, test } from 'bun:test'
import { readLog } from '../../src/highlight/log/read-log.ts'

const factsOf = (text: string) => {
  const steps = readLog(text)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value.facts
  }
}
const levelsOf = (text: string) => Object.entries(factsOf(text).counts)
const levelOf = (line: string) => levelsOf(line)[0]?.[0]

describe('the level of a line', () => {
  test.each([
    ['2026-11-23T14:02:11.123Z ERROR [main] it broke', 'error'],
    ['2026-11-23 14:02:11,123 - root - WARNING - careful', 'warn'],
    ['[2026-11-23 14:02:11,123: ERROR/MainProcess] task failed', 'error'],
    ['14:02:11.123 [main] INFO  org.example.Main - no ERROR found', 'info'],
    ['[14:02:11 WRN] disk is at 91 %', 'warn'],
    ['2026/11/23 14:02:11 [error] 7#7: *1 open() failed', 'error'],
    ['[Mon Nov 23 14:02:11.123456 2026] [core:error] [pid 7] AH00126', 'error'],
    ['Nov 23 14:02:11 nas kernel: EXT4-fs error (device sda1): bad block', undefined],
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
  const timesOf = (...lines: string[]) => factsOf(lines.join('\n')).times

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
      '16:06:40 UTC to 16:07:40 UTC, 1 min',
    ],
    [['ts=1795450000.5 level=info', 'ts=1795450001.5'], '16:06:40 UTC to 16:06:41 UTC, 1 s'],
    [['2026-11-23T14:00:00Z a', '2026-11-23T16:00:00+02:00 b'], '2026-11-23 14:00:00'],
    [['2026-11-23T16:00:00Z newest', '2026-11-23T14:00:00Z first'], '16:00:00 to 14:00:00, 2 h'],
    [['only 2026-11-23T16:00:00Z one'], '2026-11-23 16:00:00'],
  ])('%j are %s', (lines, times) => expect(timesOf(...lines)).toBe(times))

  test.each([[['no time here']], [['2026-99-99T99:99:99Z a']], [['Foo 23 14:02:11']], [['']]])(
    'of %j are not said',
    (lines) => expect(timesOf(...lines)).toBeUndefined(),
  )
})
