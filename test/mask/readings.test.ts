import { describe, expect, test } from 'bun:test'
import { corpusOf } from '../../scripts/mask/corpus.ts'
import { isFoundIn } from '../../scripts/mask/recall.ts'
import { findSecrets } from '../../src/mask/find.ts'
import { mask } from '../../src/mask/mask.ts'

const masked = (text: string) => mask(text, findSecrets(text)).text
const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
const colours = [
  ['a terminal', '\x1b[1;36m', '\x1b[0m'],
  ['JSON', '\\u001b[36m', '\\u001b[39m'],
  ['JSON in JSON', '\\\\u001B[36m', '\\\\u001B[39m'],
  ['a shell', '\\033[36m', '\\e[0m'],
  ['code', '\\x1b[38;5;208m', '\\x1b[0m'],
  ['syslog', '#033[36m', '#033[0m'],
  ['cat -v', '^[[36m', '^[[0m'],
  ['a log that lost the escape character', '[36m', '[0m'],
] as const

describe('a coloured text', () => {
  test.each(colours)('of %s hides nothing, and keeps its colours', (_, on, off) => {
    const values = ['192.168.1.5', token, 'ines@corp-lab.com', '3c:1a:2b:3c:4d:5e', 'fd12:3456:789a::1']
    const text = values.map((value) => on + value + off).join(' ')
    const placeholders = ['<ip-1>', '<github-token-1>', '<email-1>', '<mac-1>', '<ip-2>']
    expect(masked(text)).toBe(placeholders.map((one) => on + one + off).join(' '))
    expect(masked(`${on}/home/ines/x${off}`)).toBe(`${on}/home/<user-1>/x${off}`)
    expect(masked(`"C:\\\\Users\\\\${on}ines${off}\\\\x"`)).toBe(`"C:\\\\Users\\\\${on}<user-1>${off}\\\\x"`)
    expect(masked(`${on}password${off}=${on}hunter-22x${off} a`)).toBe(
      `${on}password${off}=${on}<password-1>${off} a`,
    )
  })

  test.each(colours)('of %s is masked as well as a plain one', (_, on, off) => {
    // Where colours are written with backslashes, paths have two of them.
    const cases = corpusOf(3).filter(({ text }) => !on.startsWith('\\') || !/Users\\\w/.test(text))
    for (const { kind, text, from, value } of cases) {
      const one = { kind, value, from: from + on.length }
      const coloured = text.slice(0, from) + on + value + off + text.slice(from + value.length)
      const isFound = (where: string, at: typeof one) =>
        findSecrets(where).some((finding) => isFoundIn({ ...at, text: where }, finding))
      if (isFound(text, { ...one, from })) expect(isFound(coloured, one), coloured).toBe(true)
    }
  })

  test('is read as it is shown, where a search coloured a part of a word', () => {
    const cut = `${token.slice(0, 9)}\x1b[01;31m\x1b[K${token.slice(9, 12)}\x1b[m\x1b[K${token.slice(12)}`
    expect(masked(`with ${cut} as key`)).toBe('with <github-token-1> as key')
  })

  test('has an edge at a colour without a space', () => {
    expect(masked('GET\x1b[36m10.1.2.3\x1b[0mok')).toBe('GET\x1b[36m<ip-1>\x1b[0mok')
  })

  test('has an edge where the cursor moves, and hides nothing in titles and links', () => {
    expect(masked('IP\x1b[40C10.1.2.3 \x1b]8;;file:///home/ines/x\x1b\\x\x1b]8;;\x1b\\')).toBe(
      'IP\x1b[40C<ip-1> \x1b]8;;file:///home/<user-1>/x\x1b\\x\x1b]8;;\x1b\\',
    )
  })
})

describe('what strings of code and JSON escape', () => {
  test.each([
    ['"from\\n10.1.2.3\\tines@corp-lab.com\\r\\n/home/ines"', '"from\\n<ip-1>\\t<email-1>\\r\\n/home/<user-1>"'],
    ['"A=1\\nDB_PASSWORD=swordfish\\nB=2"', '"A=1\\nDB_PASSWORD=<password-1>\\nB=2"'],
    ['{"p":"\\/home\\/ines\\/x","u":"http:\\/\\/a:k9-Zw@b\\/"}', '{"p":"\\/home\\/<user-1>\\/x","u":"http:\\/\\/a:<password-1>@b\\/"}'],
    ['a\u000010.1.2.3\rfe80::1ff:fe23:4567:890a\u0008b\\u000010.1.2.4', 'a\u0000<ip-1>\r<ip-2>\u0008b\\u0000<ip-3>'],
  ])('in %j hides nothing', (text, expected) => {
    expect(masked(text)).toBe(expected)
  })

  test.each(['C:\\Users\\nina\\x', 'C:\\\\Users\\\\nina\\\\x', 'C:\\Users\\nina b\\new'])('is nothing in the path %s', (text) => {
    expect(masked(text)).toBe(text.replace(/nina( b)?/, '<user-1>'))
  })
}) // biome-ignore format: a table to skim

const raw = String.raw
describe('a password with a backslash in it, which reads like an escape', () => {
  test.each([
    [raw`DB_PASSWORD='Tr0ub\n4dor&3'`, "DB_PASSWORD='<password-1>'"],
    [raw`DB_PASSWORD=Tr0ub\n4dor93`, 'DB_PASSWORD=<password-1>'],
    [raw`login with password=Tr0ub\n4dor93, again`, 'login with password=<password-1>, again'],
    [raw`PASSWORD=C0rrect\x1bHorse`, 'PASSWORD=<password-1>'],
    [raw`password: "x9\rQz!7kLm"`, 'password: "<password-1>"'],
    [raw`PASSWORD=Ab\tcd12Ef`, 'PASSWORD=<password-1>'],
    [raw`sshpass -p 'Pa\ness12' ssh a@b`, "sshpass -p '<password-1>' ssh a@b"],
    [raw`curl -u admin:Zx\n99kk https://h/`, 'curl -u admin:<password-1> https://h/'],
    [raw`mysql -uroot -pS3cr\t99xx db`, 'mysql -uroot -p<password-1> db'],
    [raw`postgres://app:Tr0ub\n4dor93@db.internal/x`, 'postgres://app:<password-1>@db.internal/x'],
    [raw`{"password":"x9\nQz7kLm"}`, '{"password":"<password-1>"}'],
    [raw`{"password":"x9\\nQz7kLm"}`, '{"password":"<password-1>"}'],
  ])('is masked to its end in %s', (text, expected) => {
    expect(masked(text)).toBe(expected)
  })

  test('is not the next setting in a string, nor the end of its line', () => {
    expect(masked(raw`{"env": "DB_PASSWORD=swordfish\nDB_HOST=db\nAPI_TOKEN=k3y77Wz9q\n"}`)).toBe(
      raw`{"env": "DB_PASSWORD=<password-1>\nDB_HOST=db\nAPI_TOKEN=<secret-1>\n"}`,
    )
  })

  test.each(['\\n', '\\r', '\\t', '\\x1b', '\\x0a', '\\\\n'])('by %s is never sent in part', (letters) => {
    for (const { kind, text, from, value } of corpusOf(4)) {
      if (kind !== 'password') continue
      const [head, tail] = [value.slice(0, value.length >> 1), value.slice(value.length >> 1)]
      const written = text.slice(0, from) + head + letters + tail + text.slice(from + value.length)
      const result = masked(written)
      if (result !== written)
        expect([result.includes(head), result.includes(tail)], result).toEqual([false, false])
    }
  })
})
