import { describe, expect, test } from 'bun:test'
import { AppError } from '../../src/errors.ts'
import { createFormReader, type FormSender } from '../../src/http/forms.ts'
import { createStrangerBodies } from '../../src/http/memory.ts'

const refusal = (take: () => void) => {
  try {
    take()
  } catch (error) {
    return error instanceof AppError ? [error.kind, error.headers['Retry-After']] : error
  }
}

describe('what strangers send', () => {
  test('has room for all of them together, and whoever comes too late is told when to come again', () => {
    const strangers = createStrangerBodies(10_000)
    const [first, second] = [strangers.open(), strangers.open()]
    first.take(6000)
    expect(refusal(() => second.take(6000))).toEqual(['overloaded', '5'])
    expect(refusal(() => second.take(1000))).toBeUndefined()
  })

  test('leaves its room to others when it was read', () => {
    const strangers = createStrangerBodies(10_000)
    const first = strangers.open()
    first.take(9000)
    first.release()
    // Twice is once.
    first.release()
    expect(refusal(() => strangers.open().take(9000))).toBeUndefined()
    expect(refusal(() => strangers.open().take(9000))).toEqual(['overloaded', '5'])
  })

  test('counts a chunk of one byte as what it costs', () => {
    const body = createStrangerBodies(10_000).open()
    const chunks = Array.from({ length: 100 }, () => refusal(() => body.take(1)))
    expect(chunks.filter((refused) => refused !== undefined).length).toBeGreaterThan(50)
  })
})

describe('a form', () => {
  const readers = () => {
    const rooms = { strangers: createStrangerBodies(10_000), guests: createStrangerBodies(200_000) }
    const read = createFormReader({ maxBytes: 1_000_000, rooms })
    const send = (room: FormSender['room'], bytes: number) => {
      const body = new FormData()
      body.set('text', 'x'.repeat(bytes))
      const request = new Request('http://nas/', { method: 'POST', body })
      return read(request, { room, isBrowser: true, isKnown: async () => false }).then(
        ({ fields }) => fields.text?.length,
        (error) => (error instanceof AppError ? error.kind : error),
      )
    }
    return { rooms, send }
  }

  test('of a guest has room where strangers have none left, and they have theirs where guests have none', async () => {
    const { rooms, send } = readers()
    rooms.strangers.open().take(9000)
    expect([await send('strangers', 5000), await send('guests', 100_000)]).toEqual(['overloaded', 100_000])
    const { rooms: others, send: sendThere } = readers()
    others.guests.open().take(199_000)
    expect([await sendThere('guests', 5000), await sendThere('strangers', 5000)]).toEqual([
      'overloaded',
      5000,
    ])
  })

  test('of guests takes no more memory than all of them have together', async () => {
    const { send } = readers()
    expect([await send('guests', 300_000), await send(undefined, 300_000)]).toEqual(['overloaded', 300_000])
  })
})
