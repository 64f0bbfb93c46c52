import { describe, expect, test } from 'bun:test'
import { corpusOf } from '../../scripts/mask/corpus.ts'
import {
  type Choices,
  countedFindings,
  findSecrets,
  linesText,
  mask,
  sumText,
  sumUp,
} from '../../src/mask/mask.ts'

const masked = (text: string, choices?: Choices) => mask(text, findSecrets(text), choices)

describe('masking', () => {
  const text = 'a 10.1.2.3 b 10.1.2.4 10.1.2.3\nc 10.1.2.3 PASSWORD=swordfish /home/ines/x'

  test('gives the same value the same placeholder in the whole text', () => {
    expect(masked(text).text).toBe(
      'a <ip-1> b <ip-2> <ip-1>\nc <ip-1> PASSWORD=<password-1> /home/<user-1>/x',
    )
  })

  test('lists each value once, with its lines', () => {
    expect(masked(text).masked).toEqual([
      { kind: 'ip', placeholder: '<ip-1>', value: '10.1.2.3', lines: [1, 2] },
      { kind: 'ip', placeholder: '<ip-2>', value: '10.1.2.4', lines: [1] },
      { kind: 'password', placeholder: '<password-1>', value: 'swordfish', lines: [2] },
      { kind: 'user', placeholder: '<user-1>', value: 'ines', lines: [2] },
    ])
  })

  test('gives a secret one placeholder, whatever the places say that it is', () => {
    const value = 'Tr0ub4dor-and-3-horses'
    expect(masked(`Authorization: Bearer ${value}\nPASSWORD=${value}`).text).toMatch(
      /Bearer (<.*>)\nPASSWORD=\1$/,
    )
  })

  test('leaves what is taken back, and the numbers of the others', () => {
    const { text: left, kept } = masked(text, { isKept: ({ placeholder }) => placeholder === '<ip-1>' })
    expect(left).toBe('a 10.1.2.3 b <ip-2> 10.1.2.3\nc 10.1.2.3 PASSWORD=<password-1> /home/<user-1>/x')
    expect(kept.map(({ placeholder, lines }) => [placeholder, lines])).toEqual([['<ip-1>', [1, 2]]])
  })

  test('keeps the placeholders that were given before', () => {
    const known = [{ kind: 'ip', placeholder: '<ip-1>', value: '10.1.2.4' }]
    expect(masked(text, { known }).text).toStartWith('a <ip-2> b <ip-1> <ip-2>\nc <ip-2>')
  })

  test('uses no placeholder that the text has already', () => {
    expect(masked('<ip-1> <ip-3> 10.1.2.3 10.1.2.4').text).toBe('<ip-1> <ip-3> <ip-2> <ip-4>')
  })

  test('does not say that a name is a password', () => {
    expect(masked('/home/swordfish/ PASSWORD=swordfish').text).toBe('/home/<user-1>/ PASSWORD=<password-1>')
  })

  test('finds nothing more in what it has masked', () => {
    for (const { text } of corpusOf(7)) {
      const once = masked(text)
      expect(masked(once.text).masked, once.text).toEqual([])
    }
  })
})

describe('what was found, in words', () => {
  test.each([
    ['line 3', [3]],
    ['lines 3 and 9', [3, 9]],
    ['lines 1, 2, 3, 4 and 5', [1, 2, 3, 4, 5]],
    ['lines 1, 2, 3, 4, 5 and 1 more', [1, 2, 3, 4, 5, 6]],
    ['lines 1, 2, 3, 4, 5 and 2,000 more', Array.from({ length: 2005 }, (_, at) => at + 1)],
  ])('says %s', (expected, lines) => {
    expect(linesText(lines)).toBe(expected)
  })

  test.each([
    ['ip', 1, '1 private address'],
    ['mac', 2, '2 MAC addresses'],
    ['cookie', 1200, '1,200 session cookies'],
  ])('counts %s', (kind, count, expected) => {
    expect(countedFindings(kind, count)).toBe(expected)
  })

  test('counts each value once, and names secrets before what is personal', () => {
    const text = '10.1.2.3 10.1.2.3\n10.1.2.4\nPASSWORD=swordfish'
    expect(sumUp(findSecrets(text)).map(sumText)).toEqual([
      '1 password (line 3)',
      '2 private addresses (lines 1 and 2)',
    ])
  })
})
