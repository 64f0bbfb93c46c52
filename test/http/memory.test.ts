import { describe, expect, test } from 'bun:test'
import { AppError } from '../../src/errors.ts'
import { createFormReader, type FormSender } from '../../src/http/forms.ts'
import { createPool } from '../../src/http/memory.ts'

describe('a pool of memory', () => {
  test('has room for all who share it together', () => {
    const pool = createPool(10_000)
    const [first, second] = [pool.open(), pool.open()]
    expect([first.take(6000), second.take(6000), second.take(1000)]).toEqual([true, false, true])
  })

  test('has room again once a share is released, twice is once', () => {
    const pool = createPool(10_000)
    const first = pool.open()
    first.take(9000)
    first.release()
    first.release()
    expect([pool.open().take(9000), pool.open().take(9000)]).toEqual([true, false])
  })

  test('counts a chunk of one byte as what it costs', () => {
    const share = createPool(10_000).open()
    const taken = Array.from({ length: 100 }, () => share.take(1))
    expect(taken.filter(Boolean).length).toBeLessThan(50)
  })
})

describe('a form', () => {
  const readers = () => {
    const pools = { keyless: createPool(10_000), keyed: createPool(200_000) }
    const read = createFormReader({ maxBytes: 1_000_000, pools })
    const send = (pool: FormSender['pool'], bytes: number) => {
      const body = new FormData()
      body.set('text', 'x'.repeat(bytes))
      const request = new Request('http://nas/', { method: 'POST', body })
      return read(request, { pool, isBrowser: true, isKnown: async () => false }).then(
        ({ fields }) => fields.text?.length,
        (error) => (error instanceof AppError ? [error.kind, error.headers['Retry-After']] : error),
      )
    }
    return { pools, send }
  }

  test('of a guest has room where strangers have none left, and they have theirs where guests have none', async () => {
    const { pools, send } = readers()
    pools.keyless.open().take(9000)
    expect([await send('keyless', 5000), await send('keyed', 100_000)]).toEqual([
      ['overloaded', '5'],
      100_000,
    ])
    const { pools: others, send: sendThere } = readers()
    others.keyed.open().take(199_000)
    expect([await sendThere('keyed', 5000), await sendThere('keyless', 5000)]).toEqual([
      ['overloaded', '5'],
      5000,
    ])
  })

  test('of guests takes no more memory than all of them have together', async () => {
    const { send } = readers()
    expect([await send('keyed', 300_000), await send(undefined, 300_000)]).toEqual([
      ['overloaded', '5'],
      300_000,
    ])
  })
})
