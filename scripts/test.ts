// `npm test -- [FILE or flag of bun test]...`: compiles the executable and tests it. Half of the time of the sources, which
// are read anew at each of several hundred starts, and what is tested is what is given away.
import { resolve } from 'node:path'
import { compile } from './compile.ts'

const executable = resolve('dist/shortcrust')
const args = process.argv.slice(2)
// The tests in a browser are a run of their own: `npm run test:browser`.
const others = args.some((arg) => arg.includes('browser')) ? [] : ['--path-ignore-patterns=**/browser*']

await compile(executable)
const { exitCode } = Bun.spawnSync([process.execPath, 'test', ...others, ...args], {
  env: { ...process.env, SHORTCRUST_TARGET: executable },
  stdio: ['inherit', 'inherit', 'inherit'],
})
process.exit(exitCode)
