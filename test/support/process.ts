import { mkdtempSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openRunFolder } from './run-folder.ts'

export const repository = resolve(import.meta.dir, '../..')

/** What is tested: the program from source, or the executable that `SHORTCRUST_TARGET` names. */
export const target = process.env.SHORTCRUST_TARGET
  ? [resolve(process.env.SHORTCRUST_TARGET)]
  : [process.execPath, join(repository, 'src/main.ts')]

/** Nothing of the tester's own environment reaches the program. */
export const cleanEnv = (env: Record<string, string>) => ({ PATH: process.env.PATH ?? '', ...env })

const folders: string[] = []
/** What has to end, and by which signal. */
const servers = new Map<Bun.Subprocess, NodeJS.Signals>()

/** Origins of the servers that run. */
const origins = new Set<string>()
export const isUnderTest = (address: string) => origins.has(new URL(address).origin)

/** Ends what a failed test left running. */
export const endServers = () => {
  for (const [server, signal] of servers) server.kill(signal)
}
// Scripts end so; `bun test` does not, and calls it by test/support/clean-up.ts.
process.on('exit', endServers)

let ownFolder: ReturnType<typeof openRunFolder> | undefined
/** The folder of the test run, which scripts/test.ts made; one for this process alone where it did not. */
export const runFolder = () => {
  if (process.env.SHORTCRUST_RUN_FOLDER) return process.env.SHORTCRUST_RUN_FOLDER
  ownFolder ??= openRunFolder()
  return ownFolder.path
}

/** An empty folder that goes away with the test run. */
export const temporaryFolder = () => {
  const folder = mkdtempSync(join(runFolder(), 'test-'))
  folders.push(folder)
  return folder
}

/** Begins to remove the temporary folders and does not wait: a disk in use takes seconds. The run folder's remover takes the rest. */
export const discardFolders = () => {
  if (folders.length) Bun.spawnSync(['sh', '-c', 'rm -rf -- "$@" 2>/dev/null &', 'sh', ...folders.splice(0)])
}

export type RunResult = { code: number; stdout: string; stderr: string }

export type RunOptions = {
  /** What standard input holds; nothing when left out. */
  stdin?: string | Uint8Array
  cwd?: string
}

/** Waits for a program to end, and reads all that it says meanwhile. */
export const endOf = async (
  child: Bun.Subprocess<Bun.Spawn.Writable, 'pipe', 'pipe'>,
): Promise<RunResult> => {
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, stdout, stderr }
}

/** Commands that know databases. */
const placed = ['keys', 'backup', 'restore', 'verify']

/** The arguments of a command on a data folder, for the database that stands for it. */
const placedArgs = async (args: readonly string[]) => {
  const at = args.indexOf('--data')
  const data = args[at + 1]
  if (isFolder || !placed.includes(args[0] ?? '') || at === -1 || data === undefined) return args
  return [...args.filter((arg) => arg !== '--create'), ...(await storeOf(data))]
}

/** Runs a command to its end; `prefix` holds the words before the program, for example `strace`. */
export const run = async (
  args: readonly string[],
  env: Record<string, string> = {},
  prefix: readonly string[] = [],
  { stdin, cwd = repository }: RunOptions = {},
): Promise<RunResult> => {
  const child = Bun.spawn([...prefix, ...target, ...(await placedArgs(args))], {
    cwd,
    env: cleanEnv(env),
    stdin: typeof stdin === 'string' ? Buffer.from(stdin) : (stdin ?? 'ignore'),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  return endOf(child)
}

export type StartOptions = {
  /** What is started instead of `target`. */
  program?: readonly string[]
  args?: readonly string[]
  env?: Record<string, string>
  /** An existing data folder; a new one when left out. */
  data?: string
  /** Commands before the program, for example `strace`. */
  prefix?: readonly string[]
}

/** Reads a stream to its end while letting a test wait for a piece of text. */
export const follow = (stream: ReadableStream<Uint8Array>) => {
  let text = ''
  let isEnded = false
  let wake = Promise.withResolvers<void>()
  const ring = () => {
    wake.resolve()
    wake = Promise.withResolvers()
  }
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true })
      ring()
    }
    isEnded = true
    ring()
  })()
  return {
    text: () => text,
    ended: reading,
    /** @throws when the stream ends without it */
    waitFor: async (pattern: RegExp): Promise<RegExpExecArray> => {
      for (;;) {
        const match = pattern.exec(text)
        if (match) return match
        if (isEnded) throw new Error(`the stream ended without ${pattern}: ${text}`)
        await wake.promise
      }
    },
  }
}

/** Ends a child with this process at the latest. @returns what ends it */
export const keep = (child: Bun.Subprocess, signal: NodeJS.Signals = 'SIGKILL') => {
  servers.set(child, signal)
  child.exited.then(() => servers.delete(child))
  return async () => {
    child.kill('SIGTERM')
    await child.exited
  }
}

/** Starts another program, for example a proxy, and waits for what it says on standard error once it is ready. */
export const startProgram = async (command: string[], ready: RegExp) => {
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
  const stop = keep(child)
  const stderr = follow(child.stderr)
  await stderr.waitFor(ready)
  return { stop, stderr }
}

export const testKey = 'a-key-for-the-tests-only'

/** False with `STORE=postgres`: servers store in a database then, and the files of a folder are not there. */
export const isFolder = process.env.STORE !== 'postgres'

/** The database that stands for a data folder. */
const storeOf = async (data: string): Promise<readonly string[]> => {
  if (isFolder) return []
  const { databaseFor } = await import('./postgres.ts')
  return ['--store', await databaseFor(data)]
}

/** Starts a server on a free port and waits until it listens. The API key is `testKey` unless `env` says otherwise. */
export const start = async (options: StartOptions = {}) => {
  const data = options.data ?? join(temporaryFolder(), 'data')
  const place = ['--host', '127.0.0.1', '--port', '0', '--data', data, ...(await storeOf(data))]
  const args = [...place, ...(options.args ?? [])]
  const child = Bun.spawn([...(options.prefix ?? []), ...(options.program ?? target), ...args], {
    cwd: repository,
    env: cleanEnv(options.env ?? { SHORTCRUST_API_KEY: testKey }),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  keep(child)
  const stdout = follow(child.stdout)
  const stderr = follow(child.stderr)
  const [, url = ''] = await stdout.waitFor(/listening on (http:\/\/\S+)/).catch(async (error) => {
    await stderr.ended
    throw new Error(`the server did not start: ${error.message}\n${stderr.text()}`)
  })
  origins.add(url)
  child.exited.then(() => origins.delete(url))
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    const code = await child.exited
    await Promise.all([stdout.ended, stderr.ended])
    return code
  }
  return {
    url,
    data,
    pid: child.pid,
    stdout,
    stderr,
    exited: child.exited,
    /** SIGTERM, and the exit code it led to. */
    stop: () => end('SIGTERM'),
    /** SIGKILL: what a crash or a power cut would do to the process. */
    kill: () => end('SIGKILL'),
  }
}
export type RunningServer = Awaited<ReturnType<typeof start>>
