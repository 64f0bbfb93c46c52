import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AppError } from '../../errors.ts'
import { guestKeyFault } from '../../services/access/guests.ts'
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
  const fault = guestKeyFault(guestKey, await named(guestKey), now())
  if (!fault) return [good(about, `guests count as ${guestKey}`)]
  if (damage)
    return [bad(about, `the keys cannot be read: ${damage.message}`, 'put keys.json back from a backup')]
  const isMissing = fault.state === 'does not exist'
  const create = isMissing && !existsSync(join(folder, 'shortcrust.json')) ? ' --create' : ''
  const says = isMissing ? `there is no key ${guestKey}` : `${guestKey} ${fault.state}`
  const advice = `type: ${fault.remedy}${create} --data ${shellWord(folder)}`
  return [bad(about, `${says}, so guests are refused`, advice)]
}
