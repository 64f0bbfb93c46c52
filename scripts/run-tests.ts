import { availableParallelism } from 'node:os'
import { openRunFolder } from '../test/support/run-folder.ts'
import { closingLine, slowestTests } from './test-report.ts'

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

/** One more than there are cores: files wait for a third of their time, for deadlines, disks and other processes. */
const workers = availableParallelism() + 1

/**
 * Runs `bun test`, several files at once, and says at the end how many tests passed, failed and were
 * skipped.
 * @param slowest how many of the slowest tests are listed before that
 * @returns the exit code
 */
export const runTests = async (
  args: readonly string[],
  env: Record<string, string | undefined>,
  slowest = 0,
) => {
  const folder = openRunFolder()
  const flags = ['--no-orphans', `--parallel=${workers}`]
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
  await Bun.write(Bun.stdout, [...slowestTests(text, slowest), closingLine(text), ''].join('\n'))
  return code
}
