import { compileCheck } from '../../items/check.ts'
import { type Figures, Stats } from '../../items/owner/stats.ts'
import { spaceOf } from '../../store/folder/space.ts'
import { Failure, foreignServer } from '../client/failures.ts'
import { parseReply } from '../client/reply.ts'
import { send } from '../client/send.ts'
import { targetOf } from '../client/target.ts'
import { stampedFolder } from '../server/known-folder.ts'
import type { ClientCommand, ClientFlags, Terminal } from '../terminal.ts'
import { figuresOfFolder } from './folder-figures.ts'
import { statsLines } from './stats-table.ts'

const { isValid } = compileCheck(Stats)

/** Above 200 keys with names of 64 characters, and 20 items. */
const maxReplyBytes = 4 * 1024 ** 2

const ofServer = async (flags: ClientFlags, terminal: Terminal): Promise<Figures> => {
  const target = await targetOf(flags, terminal).catch((error) => {
    if (!(error instanceof Failure)) throw error
    throw new Failure(`${error.message}; or read a data folder with --data`, error.exitCode)
  })
  const answer = parseReply(
    await send({ ...target, method: 'GET', path: '/stats', maxReplyBytes }),
    target.server,
  )
  if (!isValid(answer)) throw foreignServer(target.server, 'no figures')
  const { success: _, ...figures } = answer
  return figures
}

const ofFolder = async (data: string, terminal: Terminal): Promise<Figures> => {
  const folder = stampedFolder(data)
  const { sum, index } = await figuresOfFolder(folder, terminal)
  const disk = await spaceOf(folder)
  if (terminal.isWatched) terminal.printError(`figures of ${folder}:`)
  return { ...sum.result(), ...(disk && { disk }), index }
}

/** Prints the figures of a server, or of a data folder with `--data`. */
export const stats: ClientCommand = async (_, flags, terminal) => {
  const { data } = flags
  const figures = await (data === undefined ? ofServer(flags, terminal) : ofFolder(data, terminal))
  if (flags.json) await terminal.printJson(figures)
  else for (const line of statsLines(figures, terminal.now(), terminal.columns)) await terminal.print(line)
  return 0
}
