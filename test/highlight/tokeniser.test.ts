import { expect, spyOn, test } from 'bun:test'
import { createRenderer } from '../../src/highlight/child.ts'

test('the tokeniser colours a line to its end, however much time passes meanwhile', async () => {
  const tokenise = await createRenderer()
  const job = { text: 'let a = [1, "b", c] // d', language: 'javascript' }
  const expected = await tokenise(job, () => {})
  let now = 0
  const clock = spyOn(Date, 'now').mockImplementation(() => {
    now += 60_000
    return now
  })
  try {
    expect(await tokenise(job, () => {})).toEqual(expected)
  } finally {
    clock.mockRestore()
  }
})
