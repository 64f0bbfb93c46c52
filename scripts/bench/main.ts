// `npm run bench`: the executable against a baseline of the same machine, side by side; docs/benchmarks.md says how.
import { resolve } from 'node:path'

// Before test/support/process.ts is read, which then starts the executable, not the sources.
process.env.SHORTCRUST_TARGET = resolve(import.meta.dir, '../../dist/shortcrust')
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

const { bench } = await import('./command.ts')
process.exit(await bench(process.argv.slice(2)))
