import { existsSync } from 'node:fs'
import { open, rename, unlink } from 'node:fs/promises'
import { jsonLine } from '../../control-characters.ts'
import type { Failure } from '../client/failures.ts'
import { type Item, ownItem, ownItems, singularOf } from '../client/own-items.ts'
import { reasonOf } from '../system-errors.ts'
import type { ClientCommand, Terminal } from '../terminal.ts'
import { report, type Target, targetOf } from './target.ts'

type Write = (item: object) => Promise<void>

/**
 * After so much text what is left of the answers is collected. Left to itself it piles up: 190 MB of pastes took 125 MB of
 * memory, this way 76.
 */
const collectEveryBytes = 2 * 1024 ** 2

const createCollector = () => {
  let bytes = 0
  return ({ text }: Item) => {
    bytes += typeof text === 'string' ? text.length : 0
    if (bytes < collectEveryBytes) return
    bytes = 0
    Bun.gc(true)
  }
}

/** Each item as one line, the newest first: pastes with their text, then links. @returns how many there were */
const writeAll = async (target: Target, write: Write, { progress }: Terminal): Promise<number | Failure> => {
  let count = 0
  const collect = createCollector()
  for (const plural of ['pastes', 'links'] as const)
    for await (const item of ownItems(target, plural)) {
      if ('problem' in item) return item as Failure
      const whole = plural === 'pastes' ? await ownItem(target, plural, item.id) : item
      if ('problem' in whole) {
        // Deleted since it was listed.
        if ((whole as Failure).exitCode === 1) continue
        return whole as Failure
      }
      await write({ type: singularOf[plural], ...whole })
      progress(`exported ${++count} items`)
      collect(whole)
    }
  progress('')
  return count
}

/** Writes beside the file first: an export that has its name is whole. */
const toFile = async (file: string, work: (write: Write) => Promise<number | Failure>) => {
  if (existsSync(file))
    return { problem: `${file} exists already; choose another name`, exitCode: 1 } as const
  const partial = `${file}.partial`
  try {
    const handle = await open(partial, 'w', 0o600)
    const result = await work((item) => handle.appendFile(`${jsonLine(item)}\n`)).finally(() =>
      handle.close(),
    )
    if (typeof result === 'number') await rename(partial, file)
    else await unlink(partial)
    return result
  } catch (error) {
    await unlink(partial).catch(() => {})
    return { problem: `cannot write ${file}: ${reasonOf(error as Error)}`, exitCode: 1 } as const
  }
}

/** Writes everything the key made as JSON lines. */
export const exportItems: ClientCommand = async ([file = '-'], flags, terminal) => {
  const target = await targetOf(flags, terminal)
  if ('problem' in target) return report(target, terminal)
  const work = (write: Write) => writeAll(target, write, terminal)
  const result = await (file === '-' ? work(terminal.printJson) : toFile(file, work))
  if (typeof result !== 'number') return report(result, terminal)
  await terminal.written()
  terminal.printError(`${result} items exported`)
  return 0
}
