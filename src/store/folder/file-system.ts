import { realpathSync } from 'node:fs'
import { statfs } from 'node:fs/promises'

/**
 * What Linux calls NFS, SMB, 9p and what a program serves (FUSE): their locks may be granted twice, and their fsync may mean
 * that a server has the bytes in its memory. `fuseblk` is none of them: a disk of this machine.
 */
const untrusted = /^(nfs\d*|cifs|smb\d*|smbfs|9p|fuse(\..+)?)$/

/** In octal: space, tab, line end and backslash. */
const unescaped = (path: string) =>
  path.replaceAll(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)))

/**
 * The type of the file system that a folder lies on, where its locks and its fsync cannot be trusted.
 * @param mounts what `/proc/self/mountinfo` holds
 * @param path absolute, without symbolic links
 */
export const networkFileSystem = (mounts: string, path: string): string | undefined => {
  let [nearest, found] = ['', '']
  for (const line of mounts.split('\n')) {
    const [, point = '', type = ''] = /^(?:\S+ ){4}(\S+) .*? - (\S+) /.exec(line) ?? []
    const place = unescaped(point)
    const isAbove = place === '/' || path === place || path.startsWith(`${place}/`)
    // Of two mounts at one place, the later one is seen.
    if (isAbove && place.length >= nearest.length) [nearest, found] = [place, type]
  }
  return untrusted.test(found) ? found : undefined
}

/** As `networkFileSystem`, of a folder by any path; `undefined` where the system does not tell. */
export const networkFileSystemOf = (folder: string, readFile: (path: string) => string) => {
  try {
    return networkFileSystem(readFile('/proc/self/mountinfo'), realpathSync(folder))
  } catch {
    return undefined
  }
}

/** Free and total bytes of the disk of a folder, for this user; `undefined` if the system does not say. */
export const spaceOf = async (folder: string) => {
  const found = await statfs(folder).catch(() => undefined)
  return found && { freeBytes: found.bavail * found.bsize, totalBytes: found.blocks * found.bsize }
}
