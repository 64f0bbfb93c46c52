import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { YAML } from 'bun'
import { settings } from '../../src/settings/config.ts'
import { repository } from './process.ts'

export const read = (path: string) => readFileSync(join(repository, path), 'utf8')
export const readYaml = <T>(path: string) => YAML.parse(read(path)) as T

/** Every text that starts the program somewhere, by its path in the repository. */
export const deployFiles = [
  'compose.yaml',
  ...new Bun.Glob('deploy/**').scanSync({ cwd: repository, dot: true }),
]
  .filter((path) => !/\.(?:gitkeep|png)$/.test(path))
  .sort()

const dockerfile = read('Dockerfile')
const ofDockerfile = (pattern: RegExp) => pattern.exec(dockerfile)?.[1] ?? ''

/** What the Dockerfile says of the image. */
export const image = {
  port: Number(ofDockerfile(/^EXPOSE (\d+)$/m)),
  data: ofDockerfile(/^VOLUME (.+)$/m),
  uid: Number(ofDockerfile(/^USER (\d+):\d+$/m)),
  gid: Number(ofDockerfile(/^USER \d+:(\d+)$/m)),
  healthcheck: JSON.parse(ofDockerfile(/^HEALTHCHECK .* CMD (\[.*\])$/m)) as string[],
}

/** The names that a setting has in the environment. */
export const variables = Object.values(settings).flatMap(({ variable }) => [variable, `${variable}_FILE`])

/** How long the server lets running requests finish, in seconds. */
export const drainSeconds = Number(/drainMs = (\d+)/.exec(read('src/cli/server/serve.ts'))?.[1]) / 1000

/** Replaces `${NAME}`, `${NAME:-default}` as Compose does. */
export const interpolate = (text: string, env: Readonly<Record<string, string>> = {}) =>
  text.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, name, fallback) => env[name] || (fallback ?? ''))

/** A release that was published, for files to be filled in with. */
export const published = {
  address: 'https://files.example.net/s',
  image: `registry.example.net/s:2@sha256:${'5'.repeat(64)}`,
  sums: new Map(
    ['linux-x64', 'linux-arm64', 'macos-x64', 'macos-arm64'].map((target, at) => [
      `shortcrust-${JSON.parse(read('package.json')).version}-${target}.tar.gz`,
      String(at + 1).repeat(64),
    ]),
  ),
}
