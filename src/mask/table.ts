import { after, any, isRandom, matching, type Row, startingWith } from './finders.ts'
import { ipv4Addresses, ipv6Addresses, macAddresses } from './kinds/addresses.ts'
import { awsSecrets, passwords, secrets } from './kinds/assignments.ts'
import { commandPasswords } from './kinds/commands.ts'
import {
  basics,
  bearers,
  cookies,
  hashes,
  jwts,
  pairedSecrets,
  urlPasswords,
  urlTokens,
} from './kinds/credentials.ts'
import { emails, userNames } from './kinds/people.ts'
import { pemKeys, puttyKeys } from './kinds/private-keys.ts'
import { serviceRows } from './kinds/services.ts'

/** Every kind that is masked. Where two of them meet, the upper one counts. */
export const table: readonly Row[] = [
  { kind: 'private-key', words: 'private key', find: any(pemKeys, puttyKeys) },
  ...serviceRows,
  { kind: 'slack-token', words: 'Slack token', find: startingWith('https://hooks.slack.com/triggers/', /[\w/]{30,80}/y) },
  { kind: 'telegram-token', words: 'Telegram token', find: matching(/(?<![\w:])(?:bot)?(?<value>\d{8,10}:A[\w-]{34})(?![\w-])/dg, isRandom) },
  { kind: 'discord-token', words: 'Discord token', find: matching(/(?<![\w.-])(?<value>[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,38})(?![\w.-])/dg, isRandom) },
  { kind: 'mailchimp-key', words: 'Mailchimp key', find: matching(/(?<!\w)(?<value>[0-9a-f]{32}-us\d{1,2})(?!\w)/dg, isRandom) },
  { kind: 'azure-key', words: 'Azure key', find: any(
    after('AccountKey=|SharedAccessKey=|AccessKey=', /(?<value>[A-Za-z0-9+/]{40,90}={0,2})/dy, isRandom),
    after('sig=', /(?<value>[A-Za-z0-9%+/]{40,90}(?:%3D|=)?)/dy, isRandom),
  ) },
  { kind: 'aws-secret', words: 'AWS secret key', find: awsSecrets },
  { kind: 'jwt', words: 'JSON web token', find: jwts },
  { kind: 'password-hash', words: 'password hash', find: hashes },
  { kind: 'password', words: 'password', find: any(urlPasswords, commandPasswords) },
  { kind: 'basic-auth', words: 'basic credential', find: basics },
  { kind: 'bearer-token', words: 'bearer token', find: bearers },
  { kind: 'cookie', words: 'session cookie', find: cookies },
  { kind: 'password', words: 'password', find: passwords },
  { kind: 'secret', words: 'secret', find: any(secrets, pairedSecrets, urlTokens) },
  { kind: 'email', words: 'e-mail address', find: emails, isPersonal: true },
  { kind: 'ip', words: 'private address', find: any(ipv4Addresses, ipv6Addresses), isPersonal: true },
  { kind: 'mac', words: 'MAC address', find: macAddresses, isPersonal: true },
  { kind: 'user', words: 'user name', find: userNames, isPersonal: true },
] // biome-ignore format: a table to skim

const byKind = new Map(table.map((row) => [row.kind, row]))

/** Names of all kinds. */
export const kinds: readonly string[] = [...byKind.keys()]

/** True if it says who or where somebody is, and opens nothing. */
export const isPersonal = (kind: string) => byKind.get(kind)?.isPersonal === true

/** One of a kind, in words. */
export const wordsOf = (kind: string) => byKind.get(kind)?.words ?? kind
