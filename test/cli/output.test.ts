import { describe, expect, test } from 'bun:test'
import { createLog, createLogSink } from '../../src/log.ts'
import { createOutput, type OutputName, type WriteBytes } from '../../src/output.ts'

const out = 'standard output'
const err = 'standard error'

const failing =
  (code: string): WriteBytes =>
  (_, done) =>
    done(Object.assign(new Error(code), { code }), 0)

/** A reader that takes `atOnce` bytes at a time, after refusing as often as `refusals` says. */
const createReader = (atOnce = Number.POSITIVE_INFINITY, refusals = 0) => {
  const reader = { text: '', writes: 0 }
  let refused = 0
  const write: WriteBytes = (bytes, done) => {
    if (refused++ < refusals) return failing('EAGAIN')(bytes, done)
    reader.writes++
    const taken = bytes.subarray(0, atOnce)
    reader.text += new TextDecoder().decode(taken)
    setImmediate(() => done(null, taken.length))
  }
  return { reader, write }
}

/** Both outputs over one writer that is told where the bytes go. */
const createBoth = (write: WriteBytes) => createOutput({ [out]: write, [err]: write })

/** A reader that takes what is written when `release` is called. */
const createHeldReader = () => {
  const held: { text: string; release: () => void }[] = []
  const write: WriteBytes = (bytes, done) =>
    held.push({ text: new TextDecoder().decode(bytes), release: () => done(null, bytes.length) })
  return { held, write }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Whether a promise is still pending after everything that is due now. */
const isPending = async (promise: Promise<unknown>) => {
  let isSettled = false
  promise.then(
    () => (isSettled = true),
    () => (isSettled = true),
  )
  await nextTurn()
  return !isSettled
}

describe('what is printed', () => {
  test('comes in order and whole, that of one turn at once', async () => {
    const { reader, write } = createReader()
    const { put, flushed } = createBoth(write)
    for (const line of ['a\n', 'b\n', 'c\n']) put(out, line)
    await flushed(out)
    expect(reader).toEqual({ text: 'a\nb\nc\n', writes: 1 })
    await flushed(out)
  })

  test('comes in one order on both outputs, text and bytes alike', async () => {
    const { reader, write } = createReader(2)
    const { put, flushed } = createBoth(write)
    put(err, 'name:\n')
    put(out, 'key\n')
    put(out, new TextEncoder().encode('é\n'))
    put(err, 'done\n')
    await flushed(err)
    expect(reader.text).toBe('name:\nkey\né\ndone\n')
  })

  test('reaches a reader that takes little, or nothing for a while', async () => {
    const { reader, write } = createReader(3, 2)
    const { put, flushed } = createBoth(write)
    put(out, 'first line\n')
    put(out, 'second line\n')
    await flushed(out)
    expect(reader.text).toBe('first line\nsecond line\n')
  })

  test('makes a loop wait while more than 256 KiB are not written, also those being written', async () => {
    const { held, write } = createHeldReader()
    const { put, room, waiting } = createBoth(write)
    put(out, 'x'.repeat(256 * 1024))
    expect(await isPending(room(out))).toBe(false)
    put(out, 'x')
    await nextTurn()
    expect(held).toHaveLength(1)
    expect(await isPending(room(out))).toBe(true)
    const free = room(out)
    held[0]?.release()
    await free
    expect(waiting()).toBeLessThanOrEqual(1)
  })
})

describe('an output that cannot be written', () => {
  test.each(['ENOSPC', 'EPIPE', 'EIO'])(
    'rejects with %s, takes nothing more, and leaves the other alone',
    async (code) => {
      const { reader, write } = createReader()
      const output = createOutput({ [out]: failing(code), [err]: write })
      output.put(out, 'lost')
      output.put(err, 'kept')
      await output.flushed(err)
      const error = expect.objectContaining({ code }) as unknown
      await expect(output.flushed(out)).rejects.toEqual(error)
      await expect(output.room(out)).rejects.toEqual(error)
      output.put(out, 'x'.repeat(1024 ** 2))
      expect(output.waiting()).toBe(0)
      expect(output.failureOf(out)).toEqual(error as Error)
      expect(output.failureOf(err)).toBeUndefined()
      expect(reader.text).toBe('kept')
    },
  )

  test('ends the wait of a loop', async () => {
    let fail = () => {}
    const output = createBoth((bytes, done) => {
      fail = () => failing('EPIPE')(bytes, done)
    })
    output.put(out, 'x'.repeat(1024 ** 2))
    await nextTurn()
    const room = output.room(out)
    fail()
    await expect(room).rejects.toEqual(expect.objectContaining({ code: 'EPIPE' }))
  })

  test('because nobody reads it can be given up, and has failed then', async () => {
    const output = createBoth(() => {})
    output.giveUp()
    expect(output.failureOf(err)).toBeUndefined()
    output.put(err, 'a line\n')
    await nextTurn()
    const written = output.flushed(err)
    expect(await isPending(written)).toBe(true)
    output.giveUp()
    await expect(written).rejects.toThrow('nobody read it')
  })
})

describe('the log', () => {
  test('drops lines beyond 4 MiB that nobody reads, and tells their number once somebody does', async () => {
    const { held, write } = createHeldReader()
    const log = createLog({ format: 'text', now: () => 0, write: createLogSink(createBoth(write)) })
    log('info', 'first')
    await nextTurn()
    for (let made = 0; made < 10; made++) log('info', 'large', { text: 'x'.repeat(1024 ** 2) })
    held[0]?.release()
    log('info', 'last')
    for (const at of [1, 2]) held[at]?.release()
    const lines = held
      .map(({ text }) => text)
      .join('')
      .split('\n')
    const lost = lines.flatMap((line) => / warn log lines lost: .* lines=(\d+)$/.exec(line)?.[1] ?? [])
    expect(lost.map(Number).reduce((sum, count) => sum + count, 0)).toBe(7)
    expect(lines.at(-2)).toEndWith(' info last')
  })

  test('goes to standard error', async () => {
    const names: OutputName[] = []
    const to =
      (name: OutputName): WriteBytes =>
      (bytes, done) => {
        names.push(name)
        done(null, bytes.length)
      }
    const output = createOutput({ [out]: to(out), [err]: to(err) })
    expect(createLogSink(output)('a line\n')).toBe(true)
    await output.flushed(err)
    expect(names).toEqual([err])
  })
})
