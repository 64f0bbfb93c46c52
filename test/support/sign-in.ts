import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPortal } from './portal.ts'
import { repository, temporaryFolder } from './process.ts'
import { blocksOf } from './shown-commands.ts'
import { isCaddySince, type ProxyParts, proxies } from './tls-proxies.ts'

export const documentOf = (name: string) => readFileSync(join(repository, 'docs', name), 'utf8')

/** The examples of docs/ in which a proxy says who somebody is. */
export const signInExamples = proxies.flatMap(([proxy, isThere, startProxy]) => {
  const language = proxy === 'nginx' ? 'nginx' : 'caddyfile'
  const [basic] = blocksOf(documentOf('sign-in.md'), language)
  const [authelia, authentik] = blocksOf(documentOf('authelia.md'), language)
  const common = { proxy, isThere, startProxy }
  return [
    { ...common, login: 'a password', header: 'Remote-User', block: basic ?? '' },
    { ...common, login: 'Authelia', header: 'Remote-User', block: authelia ?? '' },
    { ...common, login: 'authentik', header: 'X-authentik-username', block: authentik ?? '' },
  ]
})
export type SignInExample = (typeof signInExamples)[number]

const people = ['alice', 'bob']
const passwordOf = (name: string) => `the-word-of-${name}`

const documentedFile = '/etc/nginx/shortcrust.htpasswd'

/** The file of nginx, with a line for each: the command of docs/sign-in.md writes it. */
export const passwordFile = () => {
  const file = join(temporaryFolder(), 'passwords')
  const line = blocksOf(documentOf('sign-in.md'), 'sh').find((block) => block.includes(documentedFile)) ?? ''
  for (const name of people) {
    const script = line.replace('alice', name).replace(documentedFile, file)
    // Without a terminal, openssl asks standard input, twice.
    const stdin = Buffer.from(`${passwordOf(name)}\n`.repeat(2))
    Bun.spawnSync(['setsid', 'sh', '-euc', script], { stdin, stderr: 'ignore' })
  }
  return file
}

const caddyPasswords = () =>
  people.map(
    (name) =>
      `\t\t${name} ${Bun.password.hashSync(passwordOf(name), { algorithm: 'bcrypt', cost: 4 }).replace('$2b', '$2a')}\n`,
  )

const edits = {
  nginx: (block: string) => (example: string) =>
    example.replace(/ {4}location \/ \{[^}]*\}\n/, () => block.replace(documentedFile, passwordFile)),
  Caddy: (block: string) => (example: string) =>
    example.replace(/\treverse_proxy 127\.0\.0\.1:8080 \{[\s\S]*?\n\t\}\n/, () =>
      block
        .replace(/^\t\talice .*\n/m, () => caddyPasswords().join(''))
        .replace('basic_auth', isCaddySince('2.8') ? 'basic_auth' : 'basicauth'),
    ),
}

/** Starts the example of a document, with a portal where it needs one. */
export const startSignIn = async ({ proxy, block, startProxy }: SignInExample, parts: ProxyParts) => {
  const portal = startPortal()
  const asked = block.replaceAll(/127\.0\.0\.1:90\d\d/g, portal.host)
  const running = await startProxy({ ...parts, edit: edits[proxy](asked) })
  return {
    stop: async () => {
      await running.stop()
      await portal.stop()
    },
  }
}

/** What somebody's browser sends who has signed in. */
export const credentialsOf = ({ login }: SignInExample, name: string, word = passwordOf(name)) =>
  login === 'a password'
    ? { Authorization: `Basic ${btoa(`${name}:${word}`)}` }
    : { Cookie: `session=${name}` }
