// Compiles the standalone executable: `bun scripts/build.ts [OUTFILE [TARGET]]`, by default dist/shortcrust for this
// machine. TARGET is one of Bun's, for example bun-linux-arm64.
import { compile } from './compile.ts'

const [outfile = 'dist/shortcrust', target] = process.argv.slice(2)
await compile(outfile, target)
console.log(outfile)
