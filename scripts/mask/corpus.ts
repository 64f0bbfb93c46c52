import { type Finding, findSecrets } from '../../src/mask/mask.ts'
import {
  blockMakers,
  createValues,
  keyMakers,
  type Maker,
  passwordMakers,
  personalMakers,
  type Values,
} from './secrets.ts'
import {
  bareSurroundings,
  keySurroundings,
  ownSurroundings,
  passwordSurroundings,
  type Surround,
} from './surroundings.ts'

/** A text with one secret in it. */
export type Case = { kind: string; text: string; from: number; value: string }

const caseOf = (kind: string, name: string, value: string, surround: Surround, values: Values): Case => {
  const [before, after] = surround(name, values)
  return { kind, text: before + value + after, from: before.length, value }
}

/** Only settings that name them tell these from other values. */
const needsName = new Set(['aws-secret', 'heroku-key'])

const keysOf = (values: Values): Case[] =>
  keyMakers
    .filter(({ kind }) => kind !== 'azure-key')
    .flatMap(({ kind, name, make }, at) => {
      const named = [keySurroundings[at % 10], keySurroundings[(at + 3) % 10]] as Surround[]
      const bare = needsName.has(kind)
        ? keySurroundings[(at + 6) % 10]
        : bareSurroundings[at % bareSurroundings.length]
      return [...named, bare as Surround].map((one) => caseOf(kind, name, make(values), one, values))
    })

const blocksOf = (values: Values): Case[] => {
  const surround: readonly Surround[] = [
    () => ['$ cat id_rsa\n', '\n$ exit\n'],
    () => ['ssh_key: |\n', '\nuser: app\n'],
  ]
  const escaped: Surround = () => ['{"private_key": "', '\\n", "type": "service_account"}\n']
  return blockMakers.flatMap(({ kind, name, make }: Maker, at) => [
    ...surround.map((one) => caseOf(kind, name, make(values), one, values)),
    ...(at === 2 ? [caseOf(kind, name, make(values).replaceAll('\n', '\\n'), escaped, values)] : []),
  ])
}

const passwordsOf = (values: Values): Case[] =>
  passwordSurroundings.flatMap((surround, at) =>
    [0, 2, 5].map((step) => {
      const { kind, name, make } = passwordMakers[(at + step) % passwordMakers.length] as Maker
      return caseOf(kind, name, make(values), surround, values)
    }),
  )

const ownMakers: Readonly<Record<string, Maker['make']>> = {
  ...personalMakers,
  'bearer-token': ({ of }) => of('url', 43),
  'basic-auth': ({ of }) => Buffer.from(`app:${of('alnum', 14)}`).toString('base64'),
  cookie: ({ of }) => of('alnum', 32),
  secret: ({ of }) => of('hex', 40),
  'password-hash': ({ of, pick }) =>
    pick([() => `$2b$12$${of('alnum', 53)}`, () => `$6$${of('alnum', 8)}$${of('alnum', 86)}`])(),
  'azure-key': ({ of }) => `${of('base64', 86)}==`,
}

const ownOf = (values: Values): Case[] =>
  Object.entries(ownSurroundings).flatMap(([kind, surroundings]) =>
    surroundings.map((one) => caseOf(kind, kind, (ownMakers[kind] as Maker['make'])(values), one, values)),
  )

/** 200 secrets and more in the surroundings that people paste them in; the same for the same seed. */
export const corpusOf = (seed: number): readonly Case[] => {
  const values = createValues(seed)
  return [...keysOf(values), ...blocksOf(values), ...passwordsOf(values), ...ownOf(values)]
}

/** True if the whole secret of a case would be masked. */
export const isFoundIn = ({ from, value }: Case, { from: start, length }: Finding) =>
  start <= from && start + length >= from + value.length

/** How many of the secrets are found, and which are not. */
export const recallOf = (corpus: readonly Case[]) => {
  const missed = corpus.filter((one) => !findSecrets(one.text).some((finding) => isFoundIn(one, finding)))
  return { missed, share: 1 - missed.length / corpus.length }
}
