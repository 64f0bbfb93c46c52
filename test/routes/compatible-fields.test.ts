import { describe, expect, test } from 'bun:test'
import { AppError } from '../../src/errors.ts'
import { checkKnown } from '../../src/items/field.ts'
import { createForeign } from '../../src/routes/compatible/fields.ts'
import { protocolNames } from '../../src/settings/values.ts'

const now = Date.UTC(2026, 10, 24)

const refusal = (act: () => unknown) => {
  try {
    return act()
  } catch (error) {
    if (error instanceof AppError && error.kind === 'invalid') return error.message
    throw error
  }
}
const foreign = createForeign(new Set(protocolNames))
const own = (texts: Readonly<Record<string, string>>, headers = {}) =>
  refusal(() => foreign.own(texts, new Headers(headers), now))

describe('what other programs call the options of an item', () => {
  test.each([
    [{ title: 'a' }, { title: 'a' }],
    [{ oneshot: '1' }, { maxReads: '1' }],
    [{ oneshot: 'true', maxReads: '' }, { maxReads: '1' }],
    [{ oneshot: '0' }, {}],
    [{ expires: '24' }, { expiresIn: '86400' }],
    [{ expires: '7d', expiresIn: '' }, { expiresIn: '7d' }],
    [{ expires: `${now + 90_500}` }, { expiresIn: '91' }],
    [{ secret: '' }, {}],
    [{ secret: '1', alias: '' }, { alias: '' }],
    [
      { 'f:1': 'a', lang: 'c' },
      { text: 'a', language: 'c' },
    ],
    [{ shorten: 'http://nas/' }, { url: 'http://nas/' }],
    [
      { oneshot_url: 'http://nas/', expires: '1' },
      { url: 'http://nas/', expiresIn: '3600', maxVisits: '1' },
    ],
    [{ password: 'x' }, { password: 'x' }],
    [{ ['__proto__']: 'x' }, Object.fromEntries([['__proto__', 'x']])],
  ])('%j is %j', (texts, ours) => {
    expect(own(texts)).toEqual(ours)
  })

  test('is unknown where its protocol is off', () => {
    const { own, formIn, isOnceFile } = createForeign(new Set())
    const texts = { sprunge: 'a', oneshot: '1', expires: '1', secret: '', shorten: 'x', oneshot_url: 'x' }
    expect(own(texts, new Headers(), now)).toEqual(texts)
    expect(formIn('sprunge=a')).toBeUndefined()
    expect(refusal(() => isOnceFile('oneshot'))).toContain('"oneshot"')
    expect(refusal(() => own({}, new Headers({ expire: '1h' }), now))).toContain('"expire"')
  })

  test.each([
    [{ oneshot: '' }, 'oneshot'],
    [{ oneshot: 'maybe' }, 'oneshot'],
    [{ oneshot: '1', maxReads: '3' }, 'oneshot'],
    [{ expires: '' }, 'expires'],
    [{ expires: '0' }, 'expires'],
    [{ expires: '-1' }, 'expires'],
    [{ expires: 'soon' }, 'expires'],
    [{ expires: `${now}` }, 'expires'],
    [{ expires: '24', expiresIn: '1h' }, 'expires'],
    [{ secret: '', alias: 'wiki' }, 'secret'],
    [{ sprunge: 'a', text: 'b' }, 'text'],
    [{ shorten: 'a', url: 'b' }, 'url'],
    [{ remote: 'http://nas/' }, 'remote'],
  ])('%j cannot be kept, so it is refused', (texts, field) => {
    expect(own(texts)).toContain(`"${field}"`)
  })
})

describe('the header "expire"', () => {
  test.each([
    ['10min', 600],
    ['1h', 3600],
    ['1h 30m', 5400],
    ['2 days', 172_800],
    ['1week', 604_800],
    ['1M', 2_629_800],
    ['1year', 31_557_600],
    ['90sec', 90],
  ])('%j is %d seconds', (header, seconds) => {
    expect(own({}, { expire: header })).toEqual({ expiresIn: String(seconds) })
  })

  test.each(['', '10', 'min', '0s', '10 parsecs', '1h-', '-1h', '1.5h', '500ms'])(
    '%j is refused',
    (header) => {
      expect(own({}, { expire: header })).toMatch(/^The header "expire" must be/)
    },
  )
})

test('a field that is not known is refused with the names of those that are', () => {
  const known = new Set(['title', 'language'])
  expect(refusal(() => checkKnown({ title: '', language: '' }, known))).toBeUndefined()
  expect(refusal(() => checkKnown({ title: '', password: 'x' }, known))).toBe(
    'Unknown field "password". The known ones are: title, language',
  )
  expect(refusal(() => checkKnown({ ['x'.repeat(9000)]: '' }, known))).toHaveLength(94)
})
