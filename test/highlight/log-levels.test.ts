import { describe, expect, test } from 'bun:test'
import { readLog } from '../../src/highlight/log.ts'

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
