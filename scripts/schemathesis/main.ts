// Sends a server of its own what Schemathesis makes of /openapi.json, good and bad, and judges the answers by it:
// `bun scripts/schemathesis/main.ts [options of "schemathesis run"]`. Skipped where Python cannot install it; with CI=true a failure.
import { join } from 'node:path'
import type { Description } from '../../src/describe/types.ts'
import { createClient } from '../../test/support/client.ts'
import { start, temporaryFolder, testKey } from '../../test/support/process.ts'
import { withHints } from './hints.ts'
import { installSchemathesis } from './install.ts'

const folder = temporaryFolder()
const installed = installSchemathesis(join(folder, 'venv'))
if ('missing' in installed) {
  console.error(`skipped: ${installed.missing}`)
  process.exit(process.env.CI === 'true' ? 1 : 0)
}

const server = await start({ args: ['--rate-limit', 'off'] })
const description = (await (await fetch(`${server.url}/openapi.json`)).json()) as Description
const client = createClient(server.url)
const known = {
  apiKey: testKey,
  pasteId: (await client.paste()).pasteUrl?.slice(-10) ?? '',
  linkId: (await client.link()).shortendUrl?.slice(-7) ?? '',
  asset: /assets\/([^"]+)/.exec(await (await client.get('/')).text())?.[1] ?? '',
}
await Bun.write(join(folder, 'openapi.json'), JSON.stringify(withHints(description, known)))
// Not by addresses in answers: it would GET those that a ShareX file says to POST to. The hints say what follows what.
await Bun.write(
  join(folder, 'schemathesis.toml'),
  '[phases.stateful.inference]\nalgorithms = ["dependency-analysis"]\n',
)

const options = [
  ...['--url', server.url, '--header', `key: ${testKey}`],
  // Targets of short links are anybody's addresses: nothing but the server is talked to.
  ...['--max-redirects', '0'],
  ...['--checks', 'all'],
  // The description cannot say which languages there are (any case, any alias) and what an address must be for the URL
  // parser: data that fits the schema is refused with 422 and 400 as the decisions say.
  // And `Allow` names POST at a limited item only, as test/describe/conformance.test.ts holds it to.
  ...['--exclude-checks', 'positive_data_acceptance,allow_header_conformance'],
  ...['--max-examples', '60', '--seed', '1', '--continue-on-failure'],
  ...['--generation-database', 'none', '--warnings', 'off', '--no-color'],
]
const { exitCode } = Bun.spawnSync(
  [installed.program, 'run', 'openapi.json', ...options, ...process.argv.slice(2)],
  {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 300_000,
  },
)
const failures = server.stderr.text().match(/.*request failed.*/g) ?? []
for (const line of failures) console.error(line)
await server.stop()
process.exit(exitCode === 0 && failures.length === 0 ? 0 : 1)
