import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Low } from 'lowdb'
import { unusableFolder } from '../../errors.ts'
import { compileCheck } from '../../items/check.ts'
import { FormatStamp } from '../../items/schema.ts'
import { takeOverFormerCounts } from '../derived/former-counts.ts'
import { namesIn } from '../disk.ts'
import { DurableJSONFile, plainJson } from '../documents/json-file.ts'

/** The format that this version writes. */
export const dataFormat = 4

/** Older formats that this version upgrades. Documents, names and keys are the same; format 3 had no earlier versions. */
const formerFormats: readonly number[] = [1, 2, 3]

/** Lists per owner and expiry marks of formats 1 and 2; the index has replaced both. */
export const formerNames: readonly string[] = ['owners', 'expiry']

const check = compileCheck(FormatStamp)

/**
 * Stamps a new folder, or upgrades one of an older format. Nothing is removed before the new stamp, which stops older
 * versions from opening the folder. After a crash, the next start removes the rest.
 * @returns the damaged files of the old counts
 * @throws {AppError} `unusable-folder` if the stamp is damaged or of another version
 */
export const bringToFormat = async (path: string, temporaryFolder: string) => {
  const file = new DurableJSONFile<FormatStamp>(join(path, 'shortcrust.json'), temporaryFolder, plainJson)
  const stamp = await file.read()
  if (stamp !== null && !check.isValid(stamp))
    throw unusableFolder(`${path}/shortcrust.json is not a format stamp`)
  if (stamp !== null && stamp.format !== dataFormat && !formerFormats.includes(stamp.format))
    throw unusableFolder(
      `the data folder ${path} has format ${stamp.format}, this version reads ${dataFormat}; run the version that made it`,
    )
  const counts = await takeOverFormerCounts(path, temporaryFolder)
  if (stamp?.format !== dataFormat)
    await new Low<FormatStamp>(file, { product: 'shortcrust', format: dataFormat }).write()
  await counts.remove()
  for (const name of await namesIn(path))
    if (formerNames.includes(name)) await rm(join(path, name), { recursive: true, force: true })
  return counts.damaged
}
