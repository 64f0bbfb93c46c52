import { chownSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Container } from '../../scripts/container/runtime.ts'
import { examplePaste } from './client.ts'
import { temporaryFolder, testKey } from './process.ts'

/** Where the image has the program. */
export const executable = '/usr/local/bin/shortcrust'

/** Every file below `root`, links too, as seen from there. */
export const filesOf = (root: string) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort()

/** What an ELF file says of the processor it is for: 62 is x86-64, 183 is AArch64. */
export const machineOf = (root: string) => readFileSync(join(root, executable)).readUInt16LE(18)

/** An empty folder of `owner`, as Docker makes a named volume. */
export const newVolume = (owner = 10_001) => {
  const volume = temporaryFolder()
  chownSync(volume, owner, owner)
  return volume
}

/** Where compose.yaml has the key. */
export const secret = '/run/secrets/shortcrust-api-key'
/** The test's key in a file that `owner` alone may read. */
export const withKey = (owner = 10_001) => {
  const file = join(temporaryFolder(), 'key')
  writeFileSync(file, `${testKey}\n`, { mode: 0o400 })
  chownSync(file, owner, owner)
  return { files: { [secret]: file }, env: { SHORTCRUST_API_KEY_FILE: secret } }
}

/** As seen from inside. */
export const server = 'http://127.0.0.1:8080'
/** The answer to a creation, whatever it is. */
export const create = async ({ curl }: Container, key = testKey) => {
  const headers = ['-H', `key: ${key}`, '-H', 'Content-Type: application/json']
  return JSON.parse(await curl(`${server}/paste`, ...headers, '-d', JSON.stringify(examplePaste)))
}
/** The raw text of a paste that ends in a newline. */
export const rawTextOf = async (rawUrl: string, { curl }: Container) => `${await curl(rawUrl)}\n`
