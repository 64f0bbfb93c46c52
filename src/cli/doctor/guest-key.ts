import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../errors.ts'
import { createKeyRing } from '../../services/access/keys.ts'
import type { Config } from '../../settings/config.ts'
import { shellWord } from '../../shell-words.ts'
import { openKeyStore } from '../../store/keys/key-file.ts'
import { bad, type Finding, good } from './finding.ts'

/** Whether the key that stands for guests can be used, where there are guests. */
export const lookAtGuestKey = async (
  { guestKey, apiKey }: Config,
  folder: string,
  now: () => number,
): Promise<Finding[]> => {
  if (guestKey === undefined) return []
  const about = 'guest key'
  let damage: AppError | undefined
  const onDamage = (error: AppError) => {
    damage = error
  }
  const { named } = createKeyRing({ store: openKeyStore(folder), apiKey, now, onDamage, onUse: () => {} })
  const command = (verb: string, flags = '') =>
    `type: shortcrust keys ${verb} ${guestKey}${flags} --data ${shellWord(folder)}`
  try {
    const holder = await named(guestKey)
    if (holder) return [good(about, `guests count as ${guestKey}`)]
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return [bad(about, `${guestKey} has expired, so guests are refused`, command('set', ' --expires none'))]
  }
  if (damage)
    return [bad(about, `the keys cannot be read: ${damage.message}`, 'put keys.json back from a backup')]
  const create = existsSync(join(folder, 'shortcrust.json')) ? '' : ' --create'
  return [bad(about, `there is no key ${guestKey}, so guests are refused`, command('add', create))]
}
