import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createLog, type Log } from '../../src/log.ts'
import type { LogFormat } from '../../src/settings/values.ts'
import { anyText } from '../support/text.ts'

const now = () => Date.UTC(2024, 1, 29, 12, 30, 0, 5)

const written = (format: LogFormat, use: (log: Log) => void) => {
  const lines: string[] = []
  use(createLog({ format, now, write: (line) => lines.push(line) > 0 }))
  return lines
}

const fields = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.oneof(anyText, fc.integer()))

describe('the log', () => {
  test('as text is time, level, event and fields, quoted where they need it', () => {
    expect(
      written('text', (log) => {
        log('info', 'started', { port: 80, data: './data' })
        log('warn', 'paste shown plain', { why: 'stopped after "1" ms' })
        log('error', 'stopped')
      }),
    ).toEqual([
      '2024-02-29T12:30:00.005Z info started port=80 data=./data\n',
      '2024-02-29T12:30:00.005Z warn paste shown plain why="stopped after \\"1\\" ms"\n',
      '2024-02-29T12:30:00.005Z error stopped\n',
    ])
  })

  test('as JSON is one object per line', () => {
    const [line = ''] = written('json', (log) => log('info', 'started', { port: 80, data: 'a "b"' }))
    expect(line).toEndWith('}\n')
    expect(JSON.parse(line)).toEqual({
      time: '2024-02-29T12:30:00.005Z',
      level: 'info',
      event: 'started',
      port: 80,
      data: 'a "b"',
    })
  })

  test('can be switched off', () => {
    expect(written('off', (log) => log('error', 'request failed', { status: 500 }))).toEqual([])
  })

  test('writes one line per event, whatever a field holds', () => {
    for (const format of ['text', 'json'] as const)
      fc.assert(
        fc.property(fields, (values) => {
          const lines = written(format, (log) => log('info', 'event', values))
          expect(lines).toHaveLength(1)
          expect(lines[0]?.slice(0, -1)).not.toMatch(/\p{Cc}/u)
          expect(lines[0]).toEndWith('\n')
        }),
      )
  })

  test('cannot be made to show a field that is none', () => {
    const [line] = written('text', (log) => log('info', 'event', { a: '', b: 'x y=1', c: 'z' }))
    expect(line).toEndWith(' event a="" b="x y=1" c=z\n')
  })
})
