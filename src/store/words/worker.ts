import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { createIndexer } from './indexer.ts'
import type { Reply, Request } from './protocol.ts'

declare const self: Worker

/** On Linux, niceness is per thread: requests come before words. */
const stepBack = () => {
  if (process.platform !== 'linux') return
  const [thread] = /\d+$/.exec(readlinkSync('/proc/thread-self')) ?? []
  setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL)
}

try {
  stepBack()
} catch {
  // Without /proc, both get the same share.
}

const indexer = createIndexer()

self.onmessage = async ({ data }: MessageEvent<string>) => {
  const { id, what, ask } = JSON.parse(data) as Request
  const reply = (message: Reply) => self.postMessage(JSON.stringify(message))
  try {
    reply({ id, answer: await indexer[what](ask as never) })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    reply({ id, failure: message, code })
  }
}
