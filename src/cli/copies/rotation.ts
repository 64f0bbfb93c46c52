import { readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { secondsText } from '../../items/durations.ts'
import { syncFolder } from '../../store/disk.ts'

/** A name that sorts by time, such as `shortcrust-2026-11-23T14-05-00Z.tgz`. */
export const archiveName = (now: number) => `shortcrust-${secondsText(now).replaceAll(':', '-')}.tgz`
const isArchive = (name: string) => /^shortcrust-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tgz$/.test(name)

/** Removes the oldest archives, those of this command alone. */
export const keepNewest = async (folder: string, most: number) => {
  const names = (await readdir(folder)).filter(isArchive).sort()
  for (const name of names.slice(0, -most)) await unlink(join(folder, name))
  await syncFolder(folder)
}
