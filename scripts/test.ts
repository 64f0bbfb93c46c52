// `npm test -- [FILE or flag of bun test]...`: compiles the executable and tests it. Half of the time of the sources, which
// are read again at each of several hundred starts, and the tests run what users get.
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { openRunFolder } from '../test/support/run-folder.ts'
import { compile } from './build.ts'
import { closingLine, failures, slowestTests } from './test-report.ts'

/** Writes a stream on as it comes. @returns all of it */
const passOn = async (stream: ReadableStream<Uint8Array>) => {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    await Bun.write(Bun.stderr, chunk)
    text += decoder.decode(chunk, { stream: true })
  }
  return text
}

const isForBrowsers = (args: readonly string[]) => args.some((arg) => arg.includes('browser'))

/** One more than there are cores: files wait for a third of their time, for deadlines, disks and processes; browsers do not. */
const workers = (args: readonly string[]) => availableParallelism() + (isForBrowsers(args) ? 0 : 1)

/**
 * Runs `bun test`, several files at once, and says at the end what failed and how many tests passed, failed and were
 * skipped.
 * @param slowest how many of the slowest tests are listed before that
 * @returns the exit code
 */
const runTests = async (args: readonly string[], env: Record<string, string | undefined>, slowest = 0) => {
  const folder = openRunFolder()
  // A test that fails does so by what it finds: the limit is for one that waits for what never comes.
  const flags = ['--no-orphans', `--parallel=${workers(args)}`, '--timeout=120000']
  // Ctrl-C reaches the tests as well: this process stays to report and to clean up after them.
  process.on('SIGINT', () => {})
  const tests = Bun.spawn([process.execPath, 'test', ...flags, ...args], {
    env: {
      ...env,
      SHORTCRUST_RUN_FOLDER: folder.path,
      ...(process.stderr.isTTY ? { FORCE_COLOR: '1' } : {}),
    },
    stdio: ['inherit', 'inherit', 'pipe'],
  })
  const text = Bun.stripANSI(await passOn(tests.stderr))
  const code = await tests.exited
  await folder.remove()
  await Bun.write(
    Bun.stdout,
    [...slowestTests(text, slowest), ...failures(text), closingLine(text), ''].join('\n'),
  )
  return code
}

const testExecutable = async (args: readonly string[]) => {
  const executable = resolve('dist/shortcrust')
  // The tests in a browser are a run of their own: `npm run test:browser`.
  const others = isForBrowsers(args) ? [] : ['--path-ignore-patterns=test/browser/**']
  const isWhole = args.length === 0
  // So that no slow file is the last one to start.
  const timings = isWhole ? ['--timings=dist/test-timings.json', '--update-timings'] : []
  await compile(executable)
  const env = { ...process.env, SHORTCRUST_TARGET: executable, ...(await databaseOf(process.env)) }
  return runTests([...timings, ...others, ...args], env, isWhole ? 40 : 0)
}

/** With `STORE=postgres`, one PostgreSQL for all files: each of their servers has a schema in it. */
const databaseOf = async ({ STORE }: NodeJS.ProcessEnv) => {
  if (STORE !== 'postgres') return {}
  const { startPostgres } = await import('../test/support/postgres.ts')
  return { POSTGRES_FOLDER: (await startPostgres()).folder }
}

process.exit(await testExecutable(process.argv.slice(2)))
