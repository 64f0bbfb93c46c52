import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkedJson } from '../../src/store/disk.ts'
import { temporaryFolder } from './process.ts'

/** One key of `keys.json`, with its limits. */
export type KeyEntry = {
  name: string
  expiresAt?: unknown
  rate?: unknown
  only?: unknown
  [field: string]: unknown
}

/** A data folder as a server leaves it that has stored nothing. */
export const stampedFolder = () => {
  const data = join(temporaryFolder(), 'data')
  mkdirSync(data, { mode: 0o700 })
  writeFileSync(join(data, 'shortcrust.json'), '{"product":"shortcrust","format":1}')
  return data
}

/** The keys of a data folder, to be read and changed without the command line. */
export const keyFileOf = (data: string) => {
  const path = join(data, 'keys.json')
  const read = () => readFileSync(path, 'utf8')
  const entries = (): KeyEntry[] => (checkedJson.decode(read()) as { keys: KeyEntry[] }).keys
  return {
    path,
    read,
    write: (text: string) => writeFileSync(path, text),
    entry: (name: string) => entries().find((key) => key.name === name),
    change: (change: (key: KeyEntry) => KeyEntry) =>
      writeFileSync(path, checkedJson.encode({ keys: entries().map(change) })),
  }
}
