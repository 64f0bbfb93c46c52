import { collections } from '../../services/collections.ts'
import { mirrorFolder } from '../../store/standby/mirror.ts'
import { plural } from '../lines.ts'
import { stampedFolder } from '../server/known-folder.ts'
import type { Command } from '../terminal.ts'

/** Brings the copy of a data folder up to date. @returns 1 if the source has damaged or foreign files */
export const mirror: Command = async ([source = '', target = ''], _, terminal) => {
  const folder = stampedFolder(source)
  const begin = terminal.monotonic()
  let files = 0
  const { copied, removed, problems } = await mirrorFolder({
    ...{ folder, target, rules: collections },
    onFile: () => terminal.progress(`looked at ${plural(++files, 'file')}`),
  })
  const seconds = ((terminal.monotonic() - begin) / 1000).toFixed(1)
  for (const { path, problem } of problems) await terminal.printError(`left as it was  ${path}: ${problem}`)
  const done = `${copied} copied, ${removed} removed, ${problems.length} left as they were`
  terminal.printError(`${plural(files, 'file')} of ${folder}: ${done}, in ${seconds} s`)
  return problems.length === 0 ? 0 : 1
}
