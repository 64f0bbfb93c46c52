import { randomInt } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { runFolder } from './process.ts'

/** Fails where another test of the run has the port. */
const claimPort = (port: number) => {
  closeSync(openSync(join(runFolder(), `port-${port}`), 'wx'))
  Bun.listen({ hostname: '127.0.0.1', port, socket: { data: () => {} } }).stop(true)
  return port
}

/**
 * A port that nothing listens on, for programs that cannot choose one themselves. Below those that kernels give to
 * whoever asks for any, and given once in a run: files run at the same time.
 */
export const freePort = (): number => {
  for (;;)
    try {
      return claimPort(randomInt(10_000, 32_000))
    } catch (error) {
      if (!['EEXIST', 'EADDRINUSE'].includes((error as { code?: string }).code ?? '')) throw error
    }
}
