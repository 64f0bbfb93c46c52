import { createRandom } from '../measure/random.ts'

const [digits, lower, upper] = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const letters = lower + upper
const sets = {
  digits,
  upper,
  lower,
  hex: `${digits}abcdef`,
  alnum: letters + digits,
  base32: `${upper}234567`,
  base64: `${letters + digits}+/`,
  url: `${letters + digits}-_`,
}

/** What makes values of one seed. None is written down here: tools that look for keys would stop at it. */
export const createValues = (seed: number) => {
  const { below, pick } = createRandom(seed)
  const of = (set: keyof typeof sets, count: number) =>
    Array.from({ length: count }, () => sets[set][below(sets[set].length)]).join('')
  return { below, pick, of }
}
export type Values = ReturnType<typeof createValues>

/** A secret of a kind: how its maker builds it, and the name that settings give it. */
export type Maker = { kind: string; name: string; make: (values: Values) => string }

const block = (label: string, lines: number, { of }: Values) => {
  const body = Array.from({ length: lines }, () => of('base64', 64)).join('\n')
  return `-----BEGIN ${label}-----\n${body}\n${of('base64', 42)}==\n-----END ${label}-----`
}
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const uuid = ({ of }: Values) => [8, 4, 4, 4, 12].map((count) => of('hex', count)).join('-')

/** Keys with a beginning of their own, as the documents of their makers describe them. */
export const keyMakers: readonly Maker[] = [
  { kind: 'aws-key', name: 'AWS_ACCESS_KEY_ID', make: ({ of }) => `AKIA${of('base32', 16)}` },
  { kind: 'aws-key', name: 'AWS_ACCESS_KEY_ID', make: ({ of }) => `ASIA${of('base32', 16)}` },
  { kind: 'aws-secret', name: 'AWS_SECRET_ACCESS_KEY', make: ({ of }) => of('base64', 40) },
  { kind: 'github-token', name: 'GITHUB_TOKEN', make: ({ of, pick }) => `${pick(['ghp', 'gho', 'ghs'])}_${of('alnum', 36)}` },
  { kind: 'github-token', name: 'GH_PAT', make: ({ of }) => `github_pat_${of('alnum', 22)}_${of('alnum', 59)}` },
  { kind: 'gitlab-token', name: 'CI_TOKEN', make: ({ of }) => `glpat-${of('url', 20)}` },
  { kind: 'slack-token', name: 'SLACK_BOT_TOKEN', make: ({ of }) => `xoxb-${of('digits', 12)}-${of('digits', 13)}-${of('alnum', 24)}` },
  { kind: 'slack-webhook', name: 'SLACK_URL', make: ({ of }) => `https://hooks.slack.com/services/T${of('upper', 8)}/B${of('upper', 10)}/${of('alnum', 24)}` },
  { kind: 'stripe-key', name: 'STRIPE_KEY', make: ({ of, pick }) => `${pick(['sk', 'rk'])}_live_${of('alnum', pickLength(of))}` },
  { kind: 'google-key', name: 'MAPS_KEY', make: ({ of }) => `AIza${of('url', 34)}${of('alnum', 1)}` },
  { kind: 'openai-key', name: 'OPENAI_API_KEY', make: ({ of }) => `sk-proj-${of('url', 74)}T3BlbkFJ${of('url', 74)}` },
  { kind: 'openai-key', name: 'OPENAI_API_KEY', make: ({ of }) => `sk-${of('alnum', 20)}T3BlbkFJ${of('alnum', 20)}` },
  { kind: 'anthropic-key', name: 'ANTHROPIC_API_KEY', make: ({ of }) => `sk-ant-api03-${of('url', 93)}AA` },
  { kind: 'npm-token', name: 'NPM_TOKEN', make: ({ of }) => `npm_${of('alnum', 36)}` },
  { kind: 'pypi-token', name: 'TWINE_PASSWORD', make: ({ of }) => `pypi-AgEIcHlwaS5vcmc${of('url', 120)}` },
  { kind: 'rubygems-key', name: 'GEM_HOST_API_KEY', make: ({ of }) => `rubygems_${of('hex', 48)}` },
  { kind: 'docker-token', name: 'DOCKER_PAT', make: ({ of }) => `dckr_pat_${of('url', 27)}` },
  { kind: 'twilio-key', name: 'TWILIO_SID', make: ({ of, pick }) => `${pick(['SK', 'AC'])}${of('hex', 32)}` },
  { kind: 'sendgrid-key', name: 'SENDGRID_KEY', make: ({ of }) => `SG.${of('url', 22)}.${of('url', 43)}` },
  { kind: 'mailgun-key', name: 'MAILGUN', make: ({ of }) => `key-${of('hex', 32)}` },
  { kind: 'mailchimp-key', name: 'MAILCHIMP', make: ({ of }) => `${of('hex', 32)}-us${of('digits', 1)}` },
  { kind: 'telegram-token', name: 'BOT', make: ({ of }) => `6${of('digits', 9)}:AA${of('url', 33)}` },
  { kind: 'discord-token', name: 'DISCORD', make: ({ of }) => `MT${of('alnum', 24)}.${of('alnum', 6)}.${of('alnum', 38)}` },
  { kind: 'digitalocean-token', name: 'DO_PAT', make: ({ of }) => `dop_v1_${of('hex', 64)}` },
  { kind: 'heroku-key', name: 'HEROKU_API_KEY', make: uuid },
  { kind: 'azure-key', name: 'STORAGE', make: ({ of }) => `${of('base64', 86)}==` },
  { kind: 'hashicorp-token', name: 'VAULT', make: ({ of }) => `hvs.${of('url', 90)}` },
  { kind: 'huggingface-token', name: 'HF', make: ({ of }) => `hf_${of('alnum', 34)}` },
  { kind: 'databricks-token', name: 'DATABRICKS', make: ({ of }) => `dapi${of('hex', 32)}` },
  { kind: 'shopify-token', name: 'SHOPIFY', make: ({ of }) => `shpat_${of('hex', 32)}` },
  { kind: 'grafana-token', name: 'GRAFANA', make: ({ of }) => `glsa_${of('alnum', 32)}_${of('hex', 8)}` },
  { kind: 'tailscale-key', name: 'TS_AUTHKEY', make: ({ of }) => `tskey-auth-k${of('alnum', 11)}CNTRL-${of('alnum', 32)}` },
  { kind: 'linear-key', name: 'LINEAR', make: ({ of }) => `lin_api_${of('alnum', 40)}` },
  { kind: 'shortcrust-key', name: 'SHORTCRUST_KEY', make: ({ of }) => `sc_${of('alnum', 32)}` },
  { kind: 'jwt', name: 'SESSION', make: ({ of }) => `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: of('digits', 8), iat: 1_700_000_000 })}.${of('url', 43)}` },
] // biome-ignore format: a table to skim

const pickLength = (of: Values['of']) => (of('digits', 1) < '5' ? 24 : 99)

export const blockMakers: readonly Maker[] = ['RSA PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'PRIVATE KEY', 'EC PRIVATE KEY', 'PGP PRIVATE KEY BLOCK'].map((label, at) => ({
  kind: 'private-key',
  name: label,
  make: (values) => block(label, [24, 5, 26, 2, 40][at] as number, values),
})) // biome-ignore format: a table to skim

const words = 'orange window river seven castle monkey dragon summer garden falcon copper violet'.split(' ')
const first = 'anna bruno carla dimitri elif farid greta hiro ines jonas'.split(' ')
const last = 'weber rossi novak tanaka silva kaya haddad larsen okafor dubois'.split(' ')

/** Passwords from what a generator makes to what people make up. */
export const passwordMakers: readonly Maker[] = [
  { kind: 'password', name: 'generated', make: ({ of }) => of('alnum', 20) },
  { kind: 'password', name: 'base64', make: ({ of }) => `${of('base64', 31)}=` },
  { kind: 'password', name: 'hex', make: ({ of }) => of('hex', 40) },
  {
    kind: 'password',
    name: 'marks',
    make: ({ of, pick }) => `${of('alnum', 5)}${pick(['!', '$', '%', '#'])}${of('alnum', 5)}*`,
  },
  { kind: 'password', name: 'word and number', make: ({ of, pick }) => `${pick(words)}${of('digits', 2)}` },
  { kind: 'password', name: 'two words', make: ({ pick }) => `${pick(words)}-${pick(words)}-${pick(words)}` },
  { kind: 'password', name: 'word', make: ({ pick }) => pick(words) },
  { kind: 'password', name: 'number', make: ({ of }) => of('digits', 8) },
  {
    kind: 'password',
    name: 'account and number',
    make: ({ pick }) => `${pick(['admin', 'secret', 'pa55word'])}123`,
  },
]

/** What says who and where somebody is. */
export const personalMakers: Readonly<Record<'ip' | 'mac' | 'email' | 'user', Maker['make']>> = {
  ip: ({ pick, below, of }) => {
    const byte = () => 1 + below(254)
    return pick([
      () => `10.${byte()}.${byte()}.${byte()}`,
      () => `192.168.${byte()}.${byte()}`,
      () => `172.${16 + below(16)}.${byte()}.${byte()}`,
      () => `100.${64 + below(64)}.${byte()}.${byte()}`,
      () => `fd${of('hex', 2)}:${of('hex', 4)}:${of('hex', 4)}::${1 + below(9)}${of('hex', 2)}`,
      () => `fe80::${1 + below(9)}${of('hex', 3)}:${of('hex', 2)}ff:fe${of('hex', 2)}:${of('hex', 4)}`,
    ])()
  },
  mac: ({ pick, of }) => {
    const bytes = ['3c', ...Array.from({ length: 5 }, () => of('hex', 2))]
    return pick([bytes.join(':'), bytes.join('-').toUpperCase()])
  },
  email: ({ pick, of }) => `${pick(first)}.${pick(last)}@${pick(['corp', 'mail', 'lab'])}-${of('lower', 4)}.${pick(['com', 'de', 'co.uk'])}`,
  user: ({ pick, below }) => `${pick(first)}${pick(['', '.', '_'])}${pick(last)}${pick(['', String(below(90))])}`,
} // biome-ignore format: a table to skim
