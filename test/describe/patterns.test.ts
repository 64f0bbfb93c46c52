import { describe, expect, test } from 'bun:test'
import Ajv2020 from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { upTo } from '../../src/describe/schemas.ts'
import { findLanguage, languageChoices } from '../../src/highlight/languages/languages.ts'
import { parseTarget } from '../../src/services/links.ts'
import { aliasFor, createLifetimes, reservedAliases } from '../../src/services/options.ts'
import { describeAt } from '../support/description.ts'
import { anyText } from '../support/text.ts'

const ajv = new Ajv2020({ strict: false, validateSchema: false })
ajv.addSchema(await describeAt(), 'api')
const described = (name: string) => {
  const validate = ajv.compile({ $ref: `api#/components/schemas/${name}` })
  return (value: string) => validate(value) as boolean
}

const isTaken = (rule: (value: string) => unknown) => (value: string) => {
  try {
    rule(value)
    return true
  } catch {
    return false
  }
}

const inSomeCase = (word: string) =>
  fc
    .array(fc.boolean(), { minLength: word.length, maxLength: word.length })
    .map((flags) => [...word].map((letter, at) => (flags[at] ? letter.toUpperCase() : letter)).join(''))
const around = (text: fc.Arbitrary<string>) =>
  fc
    .tuple(
      fc.constantFrom(
        '',
        ' ',
        '\n\t',
        '\ufeff',
        '\u3000',
        '\u2003',
        '\u1680',
        '\u202f',
        '\u0085',
        '\u200b',
        '.',
        '..',
        ' .',
      ),
      text,
    )
    .chain(([space, word]) => fc.constantFrom(word, space + word, word + space, `${space}${word}${space}`))

const spellings = languageChoices.flatMap(({ id, name, spellings }) => [id, name, ...spellings.split(' ')])
const lifetimes = fc.oneof(
  fc
    .tuple(fc.nat(400_000_000), fc.constantFrom('', 's', 'm', 'h', 'd', 'w', 'y'))
    .map(([n, unit]) => n + unit),
  fc.tuple(fc.nat(6000), fc.constantFrom('m', 'h', 'd', 'w')).map(([n, unit]) => n + unit),
  fc.constantFrom(
    ...['315360000', '315360001', '315360000s', '5256000m', '5256001m', '87600h', '87601h', '3650d', '3651d'],
    ...['521w', '522w', '0', '00', '07', '007s', '0d', '1 d', '1D', '+1', '1.5', '１', '9'.repeat(20)],
  ),
)

describe('the description and the server take the same', () => {
  const rules: Record<string, [(value: string) => boolean, fc.Arbitrary<string>]> = {
    Language: [
      (value) => 'id' in findLanguage(value),
      around(fc.oneof(fc.constantFrom(...spellings).chain(inSomeCase), anyText)),
    ],
    Alias: [
      isTaken(aliasFor),
      fc.oneof(
        fc.constantFrom(...reservedAliases).chain(inSomeCase),
        fc.stringMatching(/^[\w-]{0,70}$/),
        fc.constantFrom('\u212a', 'ſ', 'a\n', 'a'.repeat(64), 'a'.repeat(65)),
        anyText,
      ),
    ],
    Lifetime: [
      isTaken(createLifetimes({ defaultMs: undefined, maxMs: undefined })),
      fc.oneof(lifetimes, anyText),
    ],
  }
  test.each(Object.entries(rules))('%s', (name, [isTakenByServer, values]) => {
    const isDescribed = described(name)
    fc.assert(
      fc.property(values, (value) => {
        expect([value, isDescribed(value)]).toEqual([value, isTakenByServer(value)])
      }),
      { numRuns: 2000 },
    )
  })

  test('Language: each word of the list at the end of /docs', () => {
    const isDescribed = described('Language')
    const words = spellings.filter((word) => word !== '')
    expect(words.filter((word) => !isDescribed(word) || !isDescribed(word.toUpperCase()))).toEqual([])
  })

  test('Target: what the description refuses, and all of it that is no matter of the URL parser', () => {
    const isDescribed = described('Target')
    const targets = fc
      .tuple(
        fc.constantFrom('http://', 'HTTPS://', 'http:/', 'ftp://', ''),
        fc.oneof(fc.domain(), anyText),
        anyText,
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(targets, (value) => {
        if (isTaken(parseTarget)(value)) expect([value, isDescribed(value)]).toEqual([value, true])
      }),
      { numRuns: 2000 },
    )
    const refused = [
      '',
      'nas',
      'ftp://nas',
      'http:nas',
      'http://',
      'http:///',
      'http://?',
      'http://a b',
      'http://a\u0085',
    ]
    expect(refused.filter(isDescribed)).toEqual([])
    expect(isDescribed(`http://nas/${'a'.repeat(8181)}`)).toBe(true)
    expect(isDescribed(`http://nas/${'a'.repeat(8182)}`)).toBe(false)
  })

  test.each([1, 9, 10, 99, 100, 101, 521, 3650, 87_600])('whole numbers up to %i', (most) => {
    const shape = new RegExp(`^${upTo(most)}$`)
    const numbers = Array.from({ length: most + 200 }, (_, number) => number)
    expect(numbers.filter((number) => shape.test(`${number}`) !== (number >= 1 && number <= most))).toEqual(
      [],
    )
  })
})
