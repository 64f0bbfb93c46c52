import { readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import { type StartOptions, start, temporaryFolder } from './process.ts'
import { requireProgram } from './programs.ts'

/** One system call of the traced server, with the lines of the trace in which it began and ended. */
export type Call = { name: string; args: string; result: string; began: number; ended: number }

const traced =
  'write,pwrite64,writev,pwritev,sendto,sendmsg,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat'

const whole = /^(\d+) +(\w+)\((.*)\) += (-?\d+.*)$/
const unfinished = /^(\d+) +(\w+)\((.*) <unfinished \.\.\.>$/
const resumed = /^(\d+) +<\.\.\. (\w+) resumed>(.*)\) += (-?\d+.*)$/

/** Reads `strace -f`, in which a call may be cut in two by those of other threads. */
export const parseTrace = (trace: string): Call[] => {
  const calls: Call[] = []
  const open = new Map<string, Call>()
  trace.split('\n').forEach((line, at) => {
    const [, pid = '', name = '', args = '', result = ''] = whole.exec(line) ?? unfinished.exec(line) ?? []
    if (name) {
      const call = { name, args, result, began: at, ended: at }
      calls.push(call)
      if (!result) open.set(pid, call)
      return
    }
    const [, thread = '', , rest = '', end = ''] = resumed.exec(line) ?? []
    const call = open.get(thread)
    if (call) Object.assign(call, { args: call.args + rest, result: end, ended: at })
    open.delete(thread)
  })
  return calls
}

export const hasStrace = requireProgram('strace', 'strace')

/** A server under strace. `calls` gives what it did so far. */
export const startTraced = async (options: StartOptions = {}, extra: readonly string[] = []) => {
  const file = join(temporaryFolder(), 'trace')
  const tracer = ['strace', '-D', '-f', '-yy', '-s', '1000', '-e', `trace=${traced}`, ...extra, '-o', file]
  const server = await start({ ...options, prefix: tracer })
  const calls = () => parseTrace(readFileSync(file, 'utf8'))
  /** A call in the trace, which strace may write a moment after a client has seen the answer. */
  const waitFor = async (matches: (call: Call) => boolean): Promise<Call> => {
    const { promise, resolve } = Promise.withResolvers<Call>()
    const look = () => {
      const call = calls().find(matches)
      if (call) resolve(call)
    }
    const watcher = watch(file, look)
    look()
    return promise.finally(() => watcher.close())
  }
  return { server, calls, waitFor }
}
