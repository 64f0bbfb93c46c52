import { isUtf8 } from 'node:buffer'
import { malformed } from '../errors.ts'

/** The error for anything but text. */
export const notText = () =>
  malformed('This is not UTF-8 text. Nothing was stored; convert it first, for example with iconv.')

/** Keeps a byte order mark, as uploads do. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @throws {AppError} `malformed` */
export const decodeText = (bytes: Uint8Array) => {
  try {
    return decoder.decode(bytes)
  } catch {
    throw notText()
  }
}

/** False for a first piece that no text begins with; its last character may be cut. */
export const isTextSoFar = (bytes: Uint8Array) =>
  [0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, bytes.length - cut)))
