// `npm test -- [FILE or flag of bun test]...`: compiles the executable and tests it. Half of the time of the sources, which
// are read anew at each of several hundred starts, and what is tested is what is given away.
import { resolve } from 'node:path'
import { compile } from './compile.ts'
import { runTests } from './run-tests.ts'

const executable = resolve('dist/shortcrust')
const args = process.argv.slice(2)
// The tests in a browser are a run of their own: `npm run test:browser`.
const others = args.some((arg) => arg.includes('browser')) ? [] : ['--path-ignore-patterns=test/browser/**']
const isWhole = args.length === 0
// So that no slow file is the last one to start.
const timings = isWhole ? ['--timings=dist/test-timings.json', '--update-timings'] : []

await compile(executable)
const env = { ...process.env, SHORTCRUST_TARGET: executable }
process.exit(await runTests([...timings, ...others, ...args], env, isWhole ? 40 : 0))
