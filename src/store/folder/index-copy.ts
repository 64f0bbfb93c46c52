import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  columns,
  indexName,
  isTrusted,
  type Row,
  type StoredRow,
  withoutNull,
} from '../derived/index-file.ts'
import { bootId } from '../derived/item-index.ts'

const logSuffix = '-wal'
/** Bytes of the header of a log; each new log has another one (https://sqlite.org/fileformat.html). */
const headerBytes = 32
/** How often a copy is made again because the server began a new log meanwhile, as it does every 4 MB. */
const mostCopies = 5

const headerOf = async (log: string) => {
  if (!existsSync(log)) return ''
  const file = await open(log, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0)
    return buffer.toString('hex', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/**
 * Copies the index, then its log. What a server moves from the log into the index meanwhile is in the log as well, unless
 * it has begun a new log. @returns false if it began new ones all the time
 */
const copyIndex = async (file: string, copy: string) => {
  const log = file + logSuffix
  for (let copies = 0; copies < mostCopies; copies++) {
    const header = await headerOf(log)
    await copyFile(file, copy)
    if (header === '') await rm(copy + logSuffix, { force: true })
    else await copyFile(log, copy + logSuffix)
    if ((await headerOf(log)) === header) return true
  }
  return false
}

/**
 * Reads a copy, also of the index of a running server: opening the index itself would leave files beside it, or stop a
 * server from starting. @returns `undefined` if there is no index that can be trusted
 */
export const readIndexCopy = async <T>(folder: string, read: (database: Database) => T) => {
  const file = join(folder, indexName)
  if (!existsSync(file)) return undefined
  const temporary = await mkdtemp(join(tmpdir(), 'shortcrust-index-'))
  try {
    const copy = join(temporary, indexName)
    if (!(await copyIndex(file, copy))) return undefined
    const database = new Database(copy)
    try {
      return isTrusted(database, file, bootId()) ? read(database) : undefined
    } finally {
      database.close()
    }
  } finally {
    await rm(temporary, { recursive: true })
  }
}

/** The rows of an index, in no order. */
export function* rowsIn(database: Database): Generator<Row> {
  for (const row of database.query<StoredRow, []>(`SELECT ${columns} FROM items`).iterate())
    yield withoutNull(row)
}
