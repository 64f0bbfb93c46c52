// Creates, lists and deletes with a Python client that is generated from /openapi.json, then sends a server of its own what
// Schemathesis makes of it, good and bad, and judges the answers by it:
// `bun scripts/schemathesis/main.ts [options of "schemathesis run"]`. Skipped where Python cannot install it; with CI=true a failure.
import { join } from 'node:path'
import type { Description } from '../../src/describe/types.ts'
import { createClient } from '../../test/support/client.ts'
import { start, temporaryFolder, testKey } from '../../test/support/process.ts'
import { withHints } from './hints.ts'

/** Pinned: a newer one may find more, and should do so in a commit of its own. */
const packages = ['schemathesis==4.32.5', 'openapi-python-client==0.29.1']

/** What is missing, and how to get it. */
type Missing = { missing: string }

const complaintOf = (command: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { stdin: 'ignore' })
  return exitCode === 0 ? undefined : `${stdout}${stderr}`.trim().split('\n').slice(-3).join(' ')
}

/** Installs both into a virtual environment of their own. @returns the folder of their programs */
const installPython = (folder: string): { bin: string } | Missing => {
  const python = Bun.which('python3')
  if (!python) return { missing: 'python3 is missing; install it with: apt-get install python3-venv' }
  const noVenv = complaintOf([python, '-m', 'venv', folder])
  if (noVenv) return { missing: `no virtual environment; try: apt-get install python3-venv (${noVenv})` }
  const bin = join(folder, 'bin')
  const pip = [join(bin, 'pip'), 'install', '--quiet', '--disable-pip-version-check', ...packages]
  const noPackage = complaintOf(pip)
  return noPackage ? { missing: `${packages.join(', ')} could not be installed: ${noPackage}` } : { bin }
}

const folder = temporaryFolder()
const installed = installPython(join(folder, 'venv'))
if ('missing' in installed) {
  console.error(`skipped: ${installed.missing}`)
  process.exit(process.env.CI === 'true' ? 1 : 0)
}

const server = await start({ args: ['--rate-limit', 'off'] })
const description = (await (await fetch(`${server.url}/openapi.json`)).json()) as Description

const python = (...command: string[]) => {
  const env = { ...process.env, PATH: `${installed.bin}:${process.env.PATH}` }
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: folder, env })
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stdout}${stderr}`)
}
await Bun.write(join(folder, 'described.json'), JSON.stringify(description))
await Bun.write(join(folder, 'client.py'), Bun.file(join(import.meta.dir, 'client.py')))
python(
  'openapi-python-client',
  'generate',
  '--path',
  'described.json',
  ...['--meta', 'none', '--output-path', 'generated'],
)
python('python', '-m', 'compileall', '-q', 'generated')
python('python', 'client.py', server.url, testKey)
console.log('The Python client creates, lists and deletes.')

const client = createClient(server.url)
const known = {
  apiKey: testKey,
  pasteId: (await client.paste()).pasteUrl?.slice(-10) ?? '',
  linkId: (await client.link()).shortendUrl?.slice(-7) ?? '',
  asset: /assets\/([^"]+)/.exec(await (await client.get('/', { Accept: 'text/html' })).text())?.[1] ?? '',
}
await Bun.write(join(folder, 'openapi.json'), JSON.stringify(withHints(description, known)))
await Bun.write(join(folder, 'schemathesis.toml'), Bun.file(join(import.meta.dir, 'schemathesis.toml')))

const options = [
  ...['--url', server.url, '--header', `key: ${testKey}`],
  // Targets of short links are anybody's addresses: nothing but the server is talked to.
  ...['--max-redirects', '0'],
  ...['--max-examples', '60', '--seed', '1', '--continue-on-failure'],
  ...['--generation-database', 'none', '--warnings', 'off', '--no-color'],
]
const { exitCode } = Bun.spawnSync(
  [join(installed.bin, 'schemathesis'), 'run', 'openapi.json', ...options, ...process.argv.slice(2)],
  {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 1_800_000,
  },
)
const failures = server.stderr.text().match(/.*request failed.*/g) ?? []
for (const line of failures) console.error(line)
await server.stop()
process.exit(exitCode === 0 && failures.length === 0 ? 0 : 1)
