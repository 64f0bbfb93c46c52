import { describe, expect, test } from 'bun:test'
import { findSecrets, mask } from '../../src/mask/mask.ts'

const size = 1024 ** 2
const often = (piece: string) => piece.repeat(Math.ceil(size / piece.length))

const head = `-----BEGIN RSA ${'PRIVATE'} KEY-----\n`
/** What the rules begin with, again and again: a rule that goes back over it would need hours. */
const pieces = [
  ...['a', '\n', ' ', '"', '[', '*', '\\', '@', 'a@', 'a@b.', '1.', 'aa:', 'aa-', 'a:', '://', 'http://a:', 'eyJ', 'sk-'],
  ...['eyJaaaaaaaaaa.', 'eyJaaaaaaaaaa.eyJ', '10.0.0.1 ', '10.0.0.', 'fe80:', 'fe80::1 ', '/home/', '/home/ab/', 'C:\\Users\\'],
  ...['password=', 'password=$', 'PASSWORD=$', 'password="', 'password: ', 'PASSWORD=ab1 ', '--token ', 'token', 'secret=a1b2c3d4&', 'user id=;password='],
  ...['bearer ', 'authorization: ', 'basic YTpi ', 'cookie: ', 'cookie: sid=', 'sid=', 'curl ', 'curl -u ', 'mysql ', 'login a '],
  ...[head, `${head}${'A'.repeat(30)}\n`, `${head}Proc-Type: 4\n`, 'Private-Lines: 999\n', '$6$', '<password>', 'key="token" ', 'name: TOKEN\n '],
  ...['\x1b', '\x1b[', '\x1b[m', 'a\x1b[1m', '\x1b[1;', '\\n', '\\u001b[m', '\\/', '[1m', 'C:\\a', 'C:\\a\\'],
  ...['docker login ', 'smbclient ', 'smbclient -U a', 'echo a:bcd', 'echo abcd |', 'MAC=', '/volume1/homes/', 'encryption:\n', '://aaaaaaaaaaaaaaaaaaaaaaaa'],
  ...['(password=ab12 ', 'password: ab1234\n', "password='abcd' ", 'PASSWORD: abcd\n', '--password abcd ', 'password=abcd', 'pw: ', '(pw=abcd', '"(pw=server='],
  ...['password=a\\n', 'PASSWORD=a1\\nb=', '"password=a1\\n', '://a:\\n', '\npassword=a&'],
  ...['AC', 'ghp_', 'SG.', 'dp.pt.', 'sig=', 'AccountKey=', 'M.', '0123456789abcdef'],
] // biome-ignore format: a list to skim

describe('a hostile text of 1 MiB', () => {
  test.each(pieces)('of %j is masked, in a time that grows with its size', (piece) => {
    const text = often(piece)
    const findings = findSecrets(text)
    expect(mask(text, findings).text.length).toBeGreaterThan(0)
  })

  test('of 60,000 different addresses has a placeholder for each', () => {
    const addresses = Array.from(
      { length: 60_000 },
      (_, at) => `10.${(at >> 14) + 1}.${(at >> 7) & 127}.${at & 127}`,
    )
    const { masked } = mask(addresses.join('\n'), findSecrets(addresses.join('\n')))
    expect(masked).toHaveLength(60_000)
    expect(masked.at(-1)?.placeholder).toBe('<ip-60000>')
  })
})
