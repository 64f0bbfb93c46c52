import { readFileSync } from 'node:fs'
import type { JobResult, SpawnChild } from './protocol.ts'

/** Argument that turns the executable into the highlighting child. */
export const childCommand = 'highlight-child'

/** `utime` and `stime`, in hundredths of a second, follow the name, which may hold spaces: proc_pid_stat(5). Only on Linux. */
const processorMs = (pid: number) => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return 10 * (Number(fields[11]) + Number(fields[12]))
  } catch {
    return
  }
}

/** Starts this program again as the child, both from source and from the executable. */
export const spawnSelf =
  (mainModule: string): SpawnChild =>
  (lane, onResult, onExit) => {
    const isCompiled = mainModule.includes('$bunfs') || mainModule.includes('~BUN')
    const command = isCompiled
      ? [process.execPath, childCommand, lane]
      : [process.execPath, mainModule, childCommand, lane]
    const child = Bun.spawn(command, {
      // Returns freed memory at once: an idle child takes 49 MB instead of 55.
      env: { MIMALLOC_PURGE_DELAY: '0' },
      stdio: ['ignore', 'ignore', 'ignore'],
      ipc: (message) => onResult(message as JobResult),
      onExit,
    })
    return {
      send: (job) => child.send(job),
      kill: () => child.kill('SIGKILL'),
      processorMs: () => processorMs(child.pid),
    }
  }
