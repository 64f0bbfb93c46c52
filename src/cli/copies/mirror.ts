import { resolve } from 'node:path'
import { isSystemError } from '../../errors.ts'
import { collections } from '../../services/items.ts'
import { type MirrorParts, mirrorFolder } from '../../store/standby/mirror.ts'
import { plural } from '../lines.ts'
import { stampedFolder } from '../server/known-folder.ts'
import type { Command } from '../terminal.ts'
import { cannot } from './cannot.ts'
import { interruptible } from './interruptible.ts'

/** An error that names a file of the source is about that; all others are about the copy. */
const pass = async (parts: MirrorParts) => {
  try {
    return await mirrorFolder(parts)
  } catch (error) {
    if (isSystemError(error) && `${error.path}/`.startsWith(`${parts.folder}/`)) throw error
    throw cannot(`write the copy ${resolve(parts.target)}`, error)
  }
}

/** Brings the copy of a data folder up to date. @returns 1 if the source has damaged or foreign files */
export const mirror: Command = async ([source = '', target = ''], _, terminal, { update = false }) => {
  const folder = stampedFolder(source, 'give the data folder of a server as SOURCE')
  const begin = terminal.monotonic()
  let files = 0
  const onFile = () => terminal.progress(`looked at ${plural(++files, 'file')}`)
  const parts = { folder, target, rules: collections, onFile, mustExist: update }
  const { copied, removed, problems } = await interruptible(terminal, 'the next pass goes on', (stop) =>
    pass({ ...parts, stop }),
  )
  const seconds = ((terminal.monotonic() - begin) / 1000).toFixed(1)
  for (const { path, problem } of problems) await terminal.printError(`left as it was  ${path}: ${problem}`)
  const done = `${copied} copied, ${removed} removed, ${problems.length} left as they were`
  terminal.printError(`${plural(files, 'file')} of ${folder}: ${done}, in ${seconds} s`)
  return problems.length === 0 ? 0 : 1
}
