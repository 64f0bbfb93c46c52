// `npm run attack`: what strangers can do to the executable, with limits; docs/attacks.md says how it is measured.
import { resolve } from 'node:path'

// Before test/support/process.ts is read, which then starts the executable, not the sources.
process.env.SHORTCRUST_TARGET = resolve(import.meta.dir, '../../dist/shortcrust')
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

const { attack } = await import('./command.ts')
process.exit(await attack(process.argv.slice(2)))
