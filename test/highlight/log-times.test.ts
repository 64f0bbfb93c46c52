import { describe, expect, test } from 'bun:test'
import { readLog } from '../../src/highlight/log/read-log.ts'

const timesIn = (text: string) => {
  const steps = readLog(text)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value.facts.times
  }
}

describe('the times of a log', () => {
  const timesOf = (...lines: string[]) => timesIn(lines.join('\n'))

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
