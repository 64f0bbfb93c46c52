import { childCommand } from './highlight/highlighter.ts'

// Anything imported here is also loaded by the highlighting child. The program would cost it 4 MB.
const [, , command, lane] = process.argv
if (command === childCommand)
  (await import('./highlight/child.ts')).runHighlightChild(lane === 'slow' ? 'slow' : 'quick')
else {
  const { runProgram } = await import('./cli/program.ts')
  const { argv, env } = process
  const clock = { now: Date.now, monotonic: () => performance.now() }
  process.exit(await runProgram({ args: argv.slice(2), env, ...clock, mainModule: import.meta.path }))
}
