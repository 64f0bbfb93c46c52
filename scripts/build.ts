// Compiles the standalone executable: `bun scripts/build.ts [OUTFILE [TARGET]]`, by default dist/shortcrust for this
// machine. TARGET is one of Bun's, for example bun-linux-arm64.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { ensureGrammars } from './pack-grammars.ts'

/** The program, and the worker that it starts by its path: `src/store/words/finder.ts`. */
const ownEntries = ['src/main.ts', 'src/store/words/worker.ts']

const flags = [
  '--compile',
  '--minify',
  // Parts that a process does not need, such as the highlighter, are then not even parsed: 31 MB instead of 47 MB at start.
  '--splitting',
  // A start runs most code once, so nothing is compiled further; the server and each other command set this back.
  '--compile-jit-policy=100',
  // Every import must be found; only what is opaque, an optional loader in Elysia's packages, may stay open.
  '--allow-unresolved=<empty>',
  // The executable must not take settings from files that lie where it is started.
  '--no-compile-autoload-dotenv',
  '--no-compile-autoload-bunfig',
]

/**
 * Parsed beforehand: it starts in 62 ms instead of 108 and holds 3 MB less, for 8 MB more of a file. On Linux alone,
 * where the executables are run before they are given away (all but the one for musl on arm64): elsewhere nobody has
 * seen it work.
 */
const bytecode = ['--bytecode', '--format=esm']

/**
 * Compiles the program into one executable; the same file name, sources and Bun give the same bytes.
 * @param target one of Bun's, for example `bun-linux-arm64`; this machine when left out
 * @param more further flags of `bun build`
 * @throws {Error} with what Bun says
 */
export const compile = async (
  outfile: string,
  target?: string,
  more: readonly string[] = [],
  entries: readonly string[] = ownEntries,
) => {
  mkdirSync(dirname(outfile), { recursive: true })
  await ensureGrammars()
  const isLinux = (target ?? `bun-${process.platform}`).startsWith('bun-linux')
  const how = [...flags, ...(isLinux ? bytecode : []), ...(target ? [`--target=${target}`] : []), ...more]
  const command = [process.execPath, 'build', ...how, '--outfile', outfile, ...entries]
  const child = Bun.spawn(command, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  if ((await child.exited) !== 0) throw new Error(`${outfile} was not compiled\n${stdout}${stderr}`)
}

if (import.meta.main) {
  const [outfile = 'dist/shortcrust', target] = process.argv.slice(2)
  await compile(outfile, target)
  console.log(outfile)
}
