import { closeSync, open, read } from 'node:fs'
import { promisify } from 'node:util'
import { decodeHead, documentJson, type Head, hasText, headOf } from './document-codec.ts'

const openFile = promisify(open)
const readFrom = promisify(read)

/** A head takes some 300 bytes; with the longest title and description 10 KiB, and 55 with every character escaped. */
const firstBytes = 4096
const sizes = [firstBytes, 16 * 1024, 64 * 1024]

const readStart = async (file: number, bytes: number) => {
  const { bytesRead, buffer } = await readFrom(file, Buffer.alloc(bytes), 0, bytes, 0)
  return buffer.subarray(0, bytesRead)
}

/**
 * What stands before the text of a document, of which no more is read than a part.
 * @returns `undefined` where it does not stand there or is damaged: then the whole document says more
 * @throws the error of the system call
 */
export const readHead = async (path: string): Promise<Head<object> | undefined> => {
  const file = await openFile(path, 'r')
  try {
    for (const bytes of sizes) {
      const start = await readStart(file, bytes)
      if (start.length < firstBytes) return headOf(documentJson.decode(start.toString()) as object)
      const head = decodeHead(start)
      if (head || hasText(start)) return head
    }
  } finally {
    closeSync(file)
  }
}
