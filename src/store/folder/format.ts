import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Low } from 'lowdb'
import { isDamage, unusableFolder } from '../../errors.ts'
import { compileCheck } from '../../items/check.ts'
import { FormatStamp } from '../../items/schema.ts'
import { shellWord } from '../../shell-words.ts'
import { namesIn } from '../disk.ts'
import { DurableJSONFile, plainJson } from '../documents/json-file.ts'

/** The format that this version writes. */
export const dataFormat = 4

/** Older formats that this version upgrades. Documents, names and keys are the same; format 3 had no earlier versions. */
const formerFormats: readonly number[] = [1, 2, 3]

/** Lists per owner and expiry marks of formats 1 and 2; the index has replaced both. */
export const formerNames: readonly string[] = ['owners', 'expiry']

const check = compileCheck(FormatStamp)

const ownStamp: FormatStamp = { product: 'shortcrust', format: dataFormat }

/** Why a stamp is none that this version reads. */
export const problemOfStamp = (stamp: unknown): string | undefined => {
  if (!check.isValid(stamp)) return 'is not a format stamp'
  const isKnown = stamp.format === dataFormat || formerFormats.includes(stamp.format)
  return isKnown ? undefined : `has format ${stamp.format}, and this version reads ${dataFormat}`
}

/** The stamp says nothing that the version in use does not know, so a person can write it again. */
const refuseStamp = (file: string, problem: string) => {
  const write = `echo '${JSON.stringify(ownStamp)}' > ${shellWord(file)}`
  return unusableFolder(
    `${file} ${problem}; run the newer version if one has run here, or else put the file back from a backup, or type: ${write}`,
  )
}

/**
 * Stamps a new folder, or upgrades one of an older format. Nothing is removed before the new stamp, which stops older
 * versions from opening the folder. After a crash, the next start removes the rest.
 * @throws {AppError} `unusable-folder` if the stamp is damaged or of another version
 */
export const bringToFormat = async (path: string, temporaryFolder: string) => {
  const stampFile = join(path, 'shortcrust.json')
  const file = new DurableJSONFile<FormatStamp>(stampFile, temporaryFolder, plainJson)
  const stamp = await file.read().catch((error) => {
    throw isDamage(error) ? refuseStamp(stampFile, 'is damaged') : error
  })
  const problem = stamp === null ? undefined : problemOfStamp(stamp)
  if (problem) throw refuseStamp(stampFile, problem)
  if (stamp?.format !== dataFormat) await new Low<FormatStamp>(file, ownStamp).write()
  for (const name of await namesIn(path))
    if (formerNames.includes(name)) await rm(join(path, name), { recursive: true, force: true })
}
