import { isUtf8 } from 'node:buffer'
import { malformed } from '../errors.ts'
import { decode } from '../http/body.ts'

/** The error for anything but text. */
export const notText = () =>
  malformed('This is not UTF-8 text. Nothing was stored; convert it first, for example with iconv.')

/** Keeps a byte order mark, as uploads do. @throws {AppError} `malformed` */
export const decodeText = (bytes: Uint8Array) => {
  if (!isUtf8(bytes)) throw notText()
  return decode(bytes, true)
}

/** False for a first piece that no text begins with; its last character may be cut. */
export const isTextSoFar = (bytes: Uint8Array) =>
  [0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, bytes.length - cut)))
