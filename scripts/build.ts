// Compiles the standalone executable: `bun scripts/build.ts [OUTFILE]`, by default dist/shortcrust.
import { compile } from './compile.ts'

const outfile = process.argv[2] ?? 'dist/shortcrust'
await compile(outfile)
console.log(outfile)
