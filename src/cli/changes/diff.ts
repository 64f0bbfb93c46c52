import { withoutControls } from '../../control-characters.ts'
import { patchOf, unifiedDiff } from '../../items/line-diff.ts'
import { Failure } from '../client/failures.ts'
import { versionOfItem, versionsOfItem } from '../client/items.ts'
import { findNamed, itemNamed } from '../client/named-item.ts'
import { targetOf } from '../client/target.ts'
import { contentOf, versionNumber } from '../items/get.ts'
import type { ClientCommand } from '../terminal.ts'

const colours: Readonly<Record<string, string>> = { '+': '32', '-': '31', '@': '36' }

/** A patch for a terminal: without control characters except tabs, and coloured unless `NO_COLOR` is set. */
const forTerminal = (patch: string, hasColours: boolean) =>
  patch
    .split('\n')
    .map((line, at) => {
      const safe = line.split('\t').map(withoutControls).join('\t')
      const colour = at < 2 ? '1' : colours[line.slice(0, 1)]
      return hasColours && colour ? `\x1b[${colour}m${safe}\x1b[m` : safe
    })
    .join('\n')

/** Compares an earlier version with the newest, as a unified diff: byte for byte, unless it goes to a terminal. */
export const diffItem: ClientCommand = async ([raw = ''], flags, terminal) => {
  const asked = flags.from === undefined ? undefined : versionNumber(flags.from, 'from')
  const named = itemNamed(raw)
  const target = await targetOf(flags, terminal)
  const { plural, item, address } = await findNamed(target, named)
  const [newest, before] = await versionsOfItem(target, plural, item.id)
  const from = asked ?? before?.version
  if (from === undefined) throw new Failure(`no earlier version of ${address} is kept`, 1)
  const earlier = await versionOfItem(target, plural, item.id, from)
  const patch = patchOf(contentOf(plural, earlier), contentOf(plural, item))
  if (!patch) throw new Failure(`version ${from} and the newest differ too much to be compared`, 1)
  if (patch.hunks.length === 0) terminal.printError(`version ${from} has the same content as the newest`)
  else {
    const text = unifiedDiff(patch, address, [`version ${from}`, `version ${newest?.version}`])
    const isShown = terminal.columns !== undefined
    await terminal.printBytes(Buffer.from(isShown ? forTerminal(text, !terminal.env.NO_COLOR) : text))
  }
  await terminal.written()
  return 0
}
