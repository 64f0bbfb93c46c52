import { closeSync, open, read } from 'node:fs'
import { promisify } from 'node:util'
import { decodeHead, documentJson, type Head, hasText, headOf } from './document-codec.ts'

const openFile = promisify(open)
const readFrom = promisify(read)

/** A head takes some 300 bytes; with the longest title and description 10 KiB, and 55 with every character escaped. */
const firstBytes = 4096
const sizes = [firstBytes, 16 * 1024, 64 * 1024]

/** Lists read many heads, one after the other: new memory for each was 25 MB for 600. */
const spare: Buffer[] = []
const maxSpare = 16

const readStart = async (file: number, memory: Buffer, bytes: number) => {
  const { bytesRead } = await readFrom(file, memory, 0, bytes, 0)
  return memory.subarray(0, bytesRead)
}

const headIn = async (file: number, memory: Buffer) => {
  for (const bytes of sizes) {
    const start = await readStart(file, memory, bytes)
    if (start.length < firstBytes) return headOf(documentJson.decode(start.toString()) as object)
    const head = decodeHead(start)
    if (head || hasText(start)) return head
  }
}

/**
 * What stands before the text of a document, of which no more is read than a part.
 * @returns `undefined` where it does not stand there or is damaged: then the whole document says more
 * @throws the error of the system call
 */
export const readHead = async (path: string): Promise<Head<object> | undefined> => {
  const file = await openFile(path, 'r')
  const memory = spare.pop() ?? Buffer.alloc(Math.max(...sizes))
  try {
    return await headIn(file, memory)
  } finally {
    if (spare.length < maxSpare) spare.push(memory)
    closeSync(file)
  }
}
