// Compiles the standalone executable: `bun scripts/build.ts [OUTFILE]`, by default dist/shortcrust.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

const outfile = process.argv[2] ?? 'dist/shortcrust'
mkdirSync(dirname(outfile), { recursive: true })

const flags = [
  '--compile',
  '--minify',
  // Parts that a process does not need (grammars, the highlighter) are then not even parsed: 31 MB instead of 47 MB at start.
  '--splitting',
  // Every import must be found; only what is opaque, an optional loader in Elysia's packages, may stay open.
  '--allow-unresolved=<empty>',
  // The executable must not take settings from files that lie where it is started.
  '--no-compile-autoload-dotenv',
  '--no-compile-autoload-bunfig',
]
const { exitCode } = Bun.spawnSync(
  [process.execPath, 'build', ...flags, '--outfile', outfile, 'src/main.ts'],
  {
    stdio: ['ignore', 'inherit', 'inherit'],
  },
)
process.exit(exitCode)
