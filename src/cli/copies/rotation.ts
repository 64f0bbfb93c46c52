import { statSync } from 'node:fs'
import { readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { secondsText } from '../../items/durations.ts'
import { syncFolder } from '../../store/disk.ts'

/** A name that sorts by time, such as `shortcrust-2026-11-23T14-05-00Z.tgz`. */
export const archiveName = (now: number) => `shortcrust-${secondsText(now).replaceAll(':', '-')}.tgz`
const isArchive = (name: string) => /^shortcrust-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tgz$/.test(name)

const ending = '.partial'
const isPartial = (name: string) => name.endsWith(ending) && isArchive(name.slice(0, -ending.length))

/** A backup that has written nothing for so long was killed. One that runs writes all the time. */
const abandonedMs = 3_600_000

/** Removes the oldest archives and what killed backups left, those of this command alone. @param now in milliseconds */
export const keepNewest = async (folder: string, most: number, now: number) => {
  const names = (await readdir(folder)).sort()
  const isAbandoned = (name: string) => {
    const file = isPartial(name) ? statSync(join(folder, name), { throwIfNoEntry: false }) : undefined
    return file !== undefined && file.mtimeMs < now - abandonedMs
  }
  for (const name of [...names.filter(isArchive).slice(0, -most), ...names.filter(isAbandoned)])
    await unlink(join(folder, name))
  await syncFolder(folder)
}
