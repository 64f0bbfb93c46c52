import { open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { namesIn, syncFolder } from '../disk.ts'

/** Keys that are revoked though they stand in `keys.json`, for it could not be written: an empty file for each, named by its hash. */
export type RevokedKeys = {
  /** SHA-256 of each key, in hexadecimal. */
  read: () => Promise<ReadonlySet<string>>
  /** Durably; takes no room on the disk. @throws the error of the system call */
  add: (sha256: string) => Promise<void>
  /** Never rejects: a mark of a key that is no more says nothing, and goes with the next change. */
  remove: (hashes: ReadonlySet<string>) => Promise<void>
}

const shape = /^keys\.revoked-([0-9a-f]{64})$/

/** The hash of the key that the name of a file revokes, if it does. */
export const revokedBy = (name: string) => shape.exec(name)?.[1]

/** @param folder the data folder: a folder of its own would take a block that there may not be */
export const openRevokedKeys = (folder: string): RevokedKeys => {
  const pathOf = (sha256: string) => join(folder, `keys.revoked-${sha256}`)
  return {
    read: async () => new Set((await namesIn(folder)).flatMap((name) => revokedBy(name) ?? [])),
    add: async (sha256) => {
      const file = await open(pathOf(sha256), 'w', 0o600)
      try {
        await file.sync()
      } finally {
        await file.close()
      }
      await syncFolder(folder)
    },
    remove: async (hashes) => {
      for (const sha256 of hashes) await unlink(pathOf(sha256)).catch(() => {})
    },
  }
}
