import { open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { namesIn, syncFolder } from '../disk.ts'

/** Keys revoked while `keys.json` could not be written: an empty file for each, named after its hash. */
export type RevokedKeys = {
  /** SHA-256 of each key, in hexadecimal. */
  read: () => Promise<ReadonlySet<string>>
  /** Durable, and needs no free space on the disk. @throws the error of the system call */
  add: (sha256: string) => Promise<void>
  /** Never rejects: the mark of a removed key is harmless, and the next change removes it. */
  remove: (hashes: ReadonlySet<string>) => Promise<void>
}

const shape = /^keys\.revoked-([0-9a-f]{64})$/

/** The hash of the key that a file with this name revokes, if it is a mark. */
export const revokedBy = (name: string) => shape.exec(name)?.[1]

/** @param folder the data folder itself: a folder for the marks would need a block on a full disk */
export const openRevokedKeys = (folder: string): RevokedKeys => {
  const pathOf = (sha256: string) => join(folder, `keys.revoked-${sha256}`)
  return {
    read: async () => new Set((await namesIn(folder)).flatMap((name) => revokedBy(name) ?? [])),
    add: async (sha256) => {
      await (await open(pathOf(sha256), 'w', 0o600)).close()
      await syncFolder(folder)
    },
    remove: async (hashes) => {
      for (const sha256 of hashes) await unlink(pathOf(sha256)).catch(() => {})
    },
  }
}
