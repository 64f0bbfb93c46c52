import { describe, expect, test } from 'bun:test'
import { AppError } from '../../src/errors.ts'
import { createStrangerBodies } from '../../src/http/body/stranger-bodies.ts'

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
