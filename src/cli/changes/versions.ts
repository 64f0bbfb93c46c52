import { versionsOfItem } from '../client/items.ts'
import { findNamed, itemNamed } from '../client/named-item.ts'
import { targetOf } from '../client/target.ts'
import { alignedLines } from '../items/item-table.ts'
import { relativeTime } from '../items/relative-time.ts'
import type { ClientCommand } from '../terminal.ts'

/** Lists the versions of an item of the key, newest first. */
export const listVersions: ClientCommand = async ([raw = ''], flags, terminal) => {
  const named = itemNamed(raw)
  const target = await targetOf(flags, terminal)
  const { plural, item } = await findNamed(target, named)
  const versions = await versionsOfItem(target, plural, item.id)
  if (flags.json) {
    for (const version of versions) await terminal.printJson(version)
    return 0
  }
  const now = terminal.now()
  const rows = versions.map(({ version, changedAt, bytes }) => [
    ...[String(version), relativeTime(changedAt, now)],
    `${bytes} bytes`,
  ])
  for (const line of alignedLines(['version', 'changed', 'size'], rows, terminal.columns))
    await terminal.print(line)
  return 0
}
