import { createIndexer } from './indexer.ts'
import type { Reply, Request } from './protocol.ts'

declare const self: Worker

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
