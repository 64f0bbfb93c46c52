import { expect, test } from 'bun:test'
import { createLog } from '../src/log.ts'
import { createLogSink, type WriteBytes } from '../src/log-sink.ts'

/** A reader that takes `atOnce` bytes at a time, after refusing as often as `refusals` says. */
const createReader = (atOnce: number, refusals = 0) => {
  const reader = { text: '', writes: 0 }
  let refused = 0
  const write: WriteBytes = (bytes, done) => {
    if (refused++ < refusals) return done(Object.assign(new Error('full'), { code: 'EAGAIN' }), 0)
    reader.writes++
    const taken = bytes.subarray(0, atOnce)
    reader.text += new TextDecoder().decode(taken)
    setImmediate(() => done(null, taken.length))
  }
  return { reader, write }
}

test('lines come in order and whole, those of one turn at once', async () => {
  const { reader, write } = createReader(1000)
  const sink = createLogSink(write)
  for (const line of ['a\n', 'b\n', 'c\n']) expect(sink.write(line)).toBe(true)
  await sink.drained()
  expect(reader).toEqual({ text: 'a\nb\nc\n', writes: 1 })
  await sink.drained()
})

test('a reader that takes little, or nothing for a while, gets all of it', async () => {
  const { reader, write } = createReader(3, 2)
  const sink = createLogSink(write)
  sink.write('first line\n')
  sink.write('second line\n')
  await sink.drained()
  expect(reader.text).toBe('first line\nsecond line\n')
})

test('a reader that has gone does not keep the server from stopping', async () => {
  const sink = createLogSink((_, done) => done(Object.assign(new Error('gone'), { code: 'EPIPE' }), 0))
  sink.write('a line\n')
  await sink.drained()
})

test('lines beyond 4 MiB that nobody reads are dropped, and their number is told once somebody does', async () => {
  let release = () => {}
  const written: string[] = []
  const sink = createLogSink((bytes, done) => {
    written.push(new TextDecoder().decode(bytes))
    release = () => done(null, bytes.length)
  })
  const log = createLog({ format: 'text', now: () => 0, write: sink.write })
  log('info', 'first')
  await new Promise((resolve) => setImmediate(resolve))
  for (let made = 0; made < 10; made++) log('info', 'large', { text: 'x'.repeat(1024 ** 2) })
  release()
  log('info', 'last')
  release()
  const lines = written.join('').split('\n')
  const lost = lines.flatMap((line) => / warn log lines lost: .* lines=(\d+)$/.exec(line)?.[1] ?? [])
  expect(lost.map(Number).reduce((sum, count) => sum + count, 0)).toBe(7)
  expect(lines.at(-2)).toEndWith(' info last')
})
