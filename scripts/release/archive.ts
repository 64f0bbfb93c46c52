import { zipSync } from 'fflate'
import { packTar } from 'modern-tar'

export type ArchiveFile = { name: string; mode: number; bytes: Uint8Array<ArrayBuffer> }

/**
 * libdeflate at 6 is as small as zlib at 9 in a third of the time (1.6 s for 118 MB; 12 saves 2 % more in 12 s), and
 * names no operating system.
 */
export const gzip = (bytes: Uint8Array<ArrayBuffer>) =>
  Bun.gzipSync(bytes, { level: 6, library: 'libdeflate' })

/** A tar archive through gzip, `folders` first. It depends on neither the machine nor the time. */
export const packTarGz = async (
  files: readonly ArchiveFile[],
  mtime: Date,
  folders: readonly string[] = [],
) => {
  const owner = { mtime, uid: 0, gid: 0, uname: 'root', gname: 'root' }
  const above = folders.map((name) => ({
    header: { name, size: 0, mode: 0o755, type: 'directory' as const, ...owner },
  }))
  const entries = files.map(({ name, mode, bytes }) => ({
    header: { name, size: bytes.length, mode, type: 'file' as const, ...owner },
    body: bytes,
  }))
  return gzip(await packTar([...above, ...entries]))
}

/** A zip archive has no time zone and fflate writes local time: noon of the day, which no clock change leaves out. */
const noonOf = (date: Date) => new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), 12)

const madeOnUnix = 3

/** A zip archive, with the same promise; of the time it keeps the day. */
export const packZip = (files: readonly ArchiveFile[], mtime: Date) =>
  zipSync(
    Object.fromEntries(
      files.map(({ name, mode, bytes }) => [
        name,
        [bytes, { mtime: noonOf(mtime), os: madeOnUnix, attrs: (0o100000 | mode) * 2 ** 16 }],
      ]),
    ),
  )
