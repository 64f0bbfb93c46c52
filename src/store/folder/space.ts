import { statfs } from 'node:fs/promises'

/** Free and total bytes of the disk of a folder, for this user; `undefined` if the system does not say. */
export const spaceOf = async (folder: string) => {
  const found = await statfs(folder).catch(() => undefined)
  return found && { freeBytes: found.bavail * found.bsize, totalBytes: found.blocks * found.bsize }
}
