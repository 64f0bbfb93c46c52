import type { JobResult, SpawnChild } from './protocol.ts'

/** Argument that turns the executable into the highlighting child. */
export const childCommand = 'highlight-child'

/** Starts this very program again as the child; works the same from source and from the executable. */
export const spawnSelf =
  (mainModule: string): SpawnChild =>
  (onResult, onExit) => {
    const isCompiled = mainModule.includes('$bunfs') || mainModule.includes('~BUN')
    const command = isCompiled
      ? [process.execPath, childCommand]
      : [process.execPath, mainModule, childCommand]
    const child = Bun.spawn(command, {
      env: {},
      stdio: ['ignore', 'ignore', 'ignore'],
      ipc: (message) => onResult(message as JobResult),
      onExit,
    })
    return { send: (job) => child.send(job), kill: () => child.kill('SIGKILL') }
  }
