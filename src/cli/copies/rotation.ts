import { readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { secondsText } from '../../items/durations.ts'
import { syncFolder } from '../../store/disk.ts'
import { isAbandoned, partialOf } from '../client/new-file.ts'

/** A name that sorts by time, such as `shortcrust-2026-11-23T14-05-00Z.tgz`. */
export const archiveName = (now: number) => `shortcrust-${secondsText(now).replaceAll(':', '-')}.tgz`
const isArchive = (name: string) => /^shortcrust-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tgz$/.test(name)

const isPartial = (name: string) => isArchive(partialOf(name) ?? '')

/**
 * Removes the oldest archives, and what killed backups left, those of this command alone. Archives of a time to come stay
 * and do not count: where the clock was wrong once, each new archive would be the oldest.
 * @param now of the newest archive, in milliseconds
 */
export const keepNewest = async (folder: string, most: number, now: number) => {
  const names = (await readdir(folder)).sort()
  const old = names.filter((name) => isArchive(name) && name <= archiveName(now)).slice(0, -most)
  const left = names.filter((name) => isPartial(name) && isAbandoned(join(folder, name), now))
  for (const name of [...old, ...left]) await unlink(join(folder, name))
  await syncFolder(folder)
}
