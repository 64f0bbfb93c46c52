import { describe, expect, test } from 'bun:test'
import { looksLikeLog } from '../../src/highlight/log.ts'

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
