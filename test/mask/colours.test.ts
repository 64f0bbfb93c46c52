import { expect, test } from 'bun:test'
import { findSecrets, mask } from '../../src/mask/mask.ts'

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

test.each(colours)('a text in colours of %s hides nothing, and keeps its colours', (_, on, off) => {
  const values = ['192.168.1.5', token, 'ines@corp-lab.com', '3c:1a:2b:3c:4d:5e', 'fd12:3456:789a::1']
  const text = values.map((value) => on + value + off).join(' ')
  const placeholders = ['<ip-1>', '<github-token-1>', '<email-1>', '<mac-1>', '<ip-2>']
  expect(masked(text)).toBe(placeholders.map((one) => on + one + off).join(' '))
  expect(masked(`${on}/home/ines/x${off}`)).toBe(`${on}/home/<user-1>/x${off}`)
  expect(masked(`GET${on}10.1.2.3${off}ok`)).toBe(`GET${on}<ip-1>${off}ok`)
  expect(masked(`${on}password${off}=${on}hunter-22x${off} a`)).toBe(
    `${on}password${off}=${on}<password-1>${off} a`,
  )
})

test('moves of the cursor, titles and links hide nothing', () => {
  expect(masked('IP\x1b[40C10.1.2.3 \x1b]8;;file:///home/ines/x\x1b\\x\x1b]8;;\x1b\\')).toBe(
    'IP\x1b[40C<ip-1> \x1b]8;;file:///home/<user-1>/x\x1b\\x\x1b]8;;\x1b\\',
  )
})

test.each(['C:\\Users\\nina\\x', 'C:\\\\Users\\\\nina\\\\x', 'C:\\Users\\nina b\\new'])('an escape is nothing in the path %s', (text) => {
  expect(masked(text)).toBe(text.replace(/nina( b)?/, '<user-1>'))
}) // biome-ignore format: a table to skim

const raw = String.raw
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
])('a password with a backslash in it is masked to its end in %s', (text, expected) => {
  expect(masked(text)).toBe(expected)
})

test.each(['\\n', '\\r\\n', '\\t', '\\\\n'])('a token after the line end %s of JSON is masked', (end) => {
  expect(masked(`{"message":"first line${end}${token}${end}10.1.2.3"}`)).toBe(
    `{"message":"first line${end}<github-token-1>${end}<ip-1>"}`,
  )
})
