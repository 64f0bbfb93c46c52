// `npm run reference`: writes docs/reference.md from the tables that the program itself uses.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes } from '../src/cli/client/send.ts'
import { commands, flagsOfCommand, usageOf } from '../src/cli/list.ts'
import { type OutlinedOperation, outlineOf } from '../src/describe/outline.ts'
import { errorResponses, everywhere, headers } from '../src/describe/parts.ts'
import type { Description } from '../src/describe/types.ts'
import { type Config, settings } from '../src/settings/config.ts'
import { describeAt } from '../test/support/description.ts'
import { repository } from '../test/support/process.ts'
import { sentences } from './measure/report.ts'

/** A value that each setting takes and that is not its default. */
export const settingExamples: { readonly [K in keyof Config]: string } = {
  host: '127.0.0.1',
  port: '80',
  dataFolder: '/var/lib/shortcrust',
  store: 'postgres://shortcrust:PASSWORD@db.example.org/shortcrust?sslmode=verify-full',
  allowNetworkFolder: 'on',
  baseUrl: 'https://api.example.org',
  publicUrl: 'https://example.org/paste',
  trustedProxies: '127.0.0.1,10.0.0.0/8',
  guestFrom: '192.168.0.0/16,fd00::/8',
  guestKey: 'guests',
  userHeader: 'Remote-User',
  rateLimit: '30/1m',
  maxPasteBytes: '512KiB',
  keepVersions: '3',
  defaultExpiryMs: '4w',
  maxExpiryMs: '52w',
  name: 'Pastes of the lab',
  accent: '#0b6e99',
  footer: 'Run by Ada: mailto:ada@example.org',
  logFormat: 'json',
  accessLog: 'on',
  metrics: '127.0.0.1:9090',
  netcat: '0.0.0.0:9999',
  protocols: 'haste,pastebinit',
  apiKey: 'at-least-16-letters',
}

const code = (text: string) => `\`${text}\``

const item = (text: string) => sentences(`- ${text}`, '  ').join('\n')

const table = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  [heads, heads.map(() => '---'), ...rows]
    .map((cells) =>
      `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`.replaceAll('  ', ' '),
    )
    .join('\n')

const settingItems = () =>
  Object.entries(settings).map(([name, { flag, variable, default: standard, doc }]) => {
    const names = [...(flag === undefined ? [] : [code(`--${flag}`)]), code(variable)].join(', ')
    const usual = standard === '' ? '' : ` Default: ${code(standard)}.`
    return item(`${names}: ${doc}.${usual} Example: ${code(settingExamples[name as keyof Config])}.`)
  })

const settingFlags = new Set(Object.values(settings).map(({ flag }) => flag))

/** What the commands take, but the settings: each flag once, with the commands that take it. */
const flagItems = () => {
  const uses = Object.keys(commands).flatMap((name) =>
    flagsOfCommand(name)
      .filter((flag) => !settingFlags.has(flag.name))
      .map((flag) => ({ command: code(name), flag })),
  )
  return [...Map.groupBy(uses, ({ flag }) => `${flag.name}\n${flag.doc}`).values()].map((same) => {
    const [{ flag }] = same as [(typeof same)[0]]
    const names = [flag.short && code(`-${flag.short}`), code(`--${flag.name} ${flag.value ?? ''}`.trimEnd())]
    const variable = flag.variable ? ` or ${code(flag.variable)}` : ''
    const takers = [...new Set(same.map(({ command }) => command))].join(', ')
    return item(`${names.filter(Boolean).join(', ')}${variable} (${takers}): ${flag.doc}`)
  })
}

const commandItems = () =>
  Object.entries(commands).map(([name, { doc }]) => {
    const taken = flagsOfCommand(name).filter((flag) => settingFlags.has(flag.name))
    const named = name === 'serve' ? ['all settings'] : taken.map((flag) => code(`--${flag.name}`))
    return item(`${code(usageOf(name))}: ${doc}.${named.length ? ` Takes ${named.join(', ')}.` : ''}`)
  })

/** Statuses that stand for each other in the table of routes. */
const sets: readonly (readonly [name: string, statuses: readonly string[]])[] = [
  ['create', ['401', '403', '409', '413', '422', '429', '503', '507']],
  ['store', ['503', '507']],
]

const statusesOf = ({ answers, errors }: OutlinedOperation) => {
  const all = [...answers, ...errors].map(({ status }) => status).filter((status) => !(status in everywhere))
  const found = sets.find(([, set]) => set.every((status) => all.includes(status)))
  const [name, set] = found ?? [undefined, [] as readonly string[]]
  return [...all.filter((status) => !set.includes(status)), ...(name ? [name] : [])].join(' ')
}

const routeRows = (description: Description) =>
  outlineOf(description).flatMap(({ operations }) =>
    operations.map((operation) => [
      code(`${operation.method} ${operation.path}`),
      operation.needsKey ? 'key' : '',
      operation.summary,
      statusesOf(operation),
    ]),
  )

const requestHeaders = ({ paths, components }: Description) => {
  const parameters = Object.values(paths)
    .flatMap(({ servers: _, ...operations }) => Object.values(operations))
    .flatMap(({ parameters = [] }) => parameters)
    .filter((parameter) => parameter.in === 'header')
  const keys = Object.values(
    components.securitySchemes as Record<string, { name?: string; description: string }>,
  )
  return new Map([
    ...keys.map(({ name = 'Authorization', description }) => [description, name] as const),
    ...parameters.map(({ name, description }) => [description, name] as const),
  ])
}

const settingsAndCommands = () => `## Settings

A flag, a variable, or a file that \`NAME_FILE\` names: [how they are read](configuration.md).

${settingItems().join('\n')}

## Commands

${commandItems().join('\n')}

## Flags of the commands

${flagItems().join('\n')}

## Exit codes

${table(
  ['code', 'meaning'],
  Object.entries(exitCodes).map(([exitCode, meaning]) => [exitCode, meaning]),
)}

\`verify\` and \`backup\` end with 1 when a file is damaged. More: [the command line](command-line.md).`

const routesAndHeaders = (description: Description) => `## Routes

"key" needs an API key. Each route can also answer 400 and 500, and each \`GET\` answers \`HEAD\` too.
${sets.map(([name, set]) => `"${name}" stands for ${set.join(', ')}.`).join(' ')}

${table(['route', '', 'what it does', 'statuses'], routeRows(description))}

## Statuses of errors

${table(
  ['status', 'meaning'],
  Object.entries(errorResponses).map(([status, [meaning]]) => [status, meaning]),
)}

Every error is \`{"success":false,"error":"…"}\`, or a page for a browser. Any other method is 405 with \`Allow\`.
\`OPTIONS\` is 204 where a web page of another origin may send a key or a deletion link.

## Headers of requests

${[...requestHeaders(description)].map(([doc, name]) => item(`${code(name)}: ${doc}`)).join('\n')}

## Headers of answers

${table(
  ['header', 'meaning'],
  Object.entries(headers).map(([name, header]) => [code(name), header.description]),
)}`

/** The whole of docs/reference.md. */
export const referencePage = async () => `# Reference

Every setting, command, flag, route, status and header. \`npm run reference\` writes this page from the tables that the
program uses, and a test compares them. Your copy of the program shows the same: the commands by \`shortcrust --help\`,
the routes at \`/docs\` of its server, the settings by

\`\`\`sh
shortcrust serve --help
\`\`\`

${settingsAndCommands()}

${routesAndHeaders(await describeAt())}
`

if (import.meta.main) writeFileSync(join(repository, 'docs/reference.md'), await referencePage())
