import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Low } from 'lowdb'
import { unusableFolder } from '../../errors.ts'
import { compileCheck } from '../../items/check.ts'
import { FormatStamp } from '../../items/schema.ts'
import { takeOverFormerCounts } from '../derived/former-counts.ts'
import { namesIn } from '../disk.ts'
import { DurableJSONFile, plainJson } from '../documents/json-file.ts'

/** Format of the data folder that this version writes. */
export const dataFormat = 3

/** Formats that it takes over. Their documents, names and keys are those of its own. */
const formerFormats: readonly number[] = [1, 2]

/** What they kept beside the documents: the lists of owners and the marks of what expires. The index has both. */
export const formerNames: readonly string[] = ['owners', 'expiry']

const check = compileCheck(FormatStamp)

/**
 * Stamps a folder that is new, and takes over one of a former format. Nothing is removed before the stamp: from then on
 * no former version opens the folder. A crash after it leaves something to be removed by the next start.
 * @returns what of the former counts is lost
 * @throws {AppError} `unusable-folder` when the stamp is damaged or of another version
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
