import {
  closeSync,
  constants,
  createReadStream,
  openSync,
  readdirSync,
  readFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { cleanEnv, repository, temporaryFolder } from './process.ts'

/** Fills a pipe, so that not even a short output has room. @returns how much it holds */
const fill = (path: string) => {
  const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  const page = Buffer.alloc(4096, '.')
  let bytes = 0
  try {
    for (;;) bytes += writeSync(fd, page)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    return bytes
  } finally {
    closeSync(fd)
  }
}

const isWriting = (pid: number) => {
  const tasks = `/proc/${pid}/task`
  return readdirSync(tasks).some((task) =>
    readFileSync(`${tasks}/${task}/wchan`, 'utf8').includes('pipe_write'),
  )
}

/** Resolves when a process waits in the kernel for the reader of a pipe, or has ended. The kernel calls nobody then, so it is asked. */
export const isHeldUp = async (child: Bun.Subprocess) => {
  while (child.exitCode === null && child.signalCode === null && !isWriting(child.pid)) await Bun.sleep(5)
  return child.exitCode === null
}

/** A full pipe that nobody reads yet. */
export const openPipe = () => {
  const path = join(temporaryFolder(), 'pipe')
  const { exitCode } = Bun.spawnSync(['mkfifo', path])
  if (exitCode !== 0) throw new Error('mkfifo failed')
  const holder = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writeEnd = openSync(path, constants.O_WRONLY)
  const readEnd = openSync(path, constants.O_RDONLY)
  closeSync(holder)
  const filling = fill(path)
  async function* chunks() {
    closeSync(writeEnd)
    let left = filling
    for await (const chunk of createReadStream('', { fd: readEnd }) as AsyncIterable<Buffer>) {
      yield chunk.subarray(left)
      left = Math.max(0, left - chunk.length)
    }
  }
  return {
    /** For the program; this process gives it up by `chunks`, `read` or `leave`. */
    writeEnd,
    /** What was written, piece by piece. */
    chunks,
    /** All that was written, to the end. */
    read: async () => Buffer.concat(await Array.fromAsync(chunks())),
    /** Goes away without having read. */
    leave: () => {
      closeSync(readEnd)
      closeSync(writeEnd)
    },
  }
}

export type OutputTarget = number | 'pipe'
export type SpawnOptions = {
  env?: Record<string, string>
  stdin?: string
  stdout?: OutputTarget
  stderr?: OutputTarget
}

/** Starts a program whose outputs go where the test says. */
export const spawnInto = (command: readonly string[], options: SpawnOptions = {}) => {
  const { env = {}, stdin, stdout = 'pipe', stderr = 'pipe' } = options
  const child = Bun.spawn([...command], {
    cwd: repository,
    env: cleanEnv(env),
    stdin: stdin === undefined ? 'ignore' : Buffer.from(stdin),
    stdout,
    stderr,
  })
  const textOf = (stream: number | ReadableStream<Uint8Array> | undefined) =>
    stream instanceof ReadableStream ? new Response(stream).text() : Promise.resolve('')
  return { child, stdout: textOf(child.stdout), stderr: textOf(child.stderr) }
}

/** Runs a program to its end: its exit code, and what came on those outputs that are pipes of their own. */
export const runInto = async (command: readonly string[], options: SpawnOptions = {}) => {
  const { child, stdout, stderr } = spawnInto(command, options)
  return { code: await child.exited, stdout: await stdout, stderr: await stderr }
}

/** Runs a program with one output going to a file, for example `/dev/full`. */
export const runToFile = async (
  command: readonly string[],
  file: string,
  { to = 'stdout', ...options }: SpawnOptions & { to?: 'stdout' | 'stderr' } = {},
) => {
  const fd = openSync(file, 'w')
  try {
    return await runInto(command, { ...options, [to]: fd })
  } finally {
    closeSync(fd)
  }
}
