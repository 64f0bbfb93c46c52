import { shellWord } from '../../shell-words.ts'
import type { Created } from '../client/create.ts'
import { addressIn } from '../client/reply.ts'
import type { ClientFlags, Terminal } from '../terminal.ts'

/** The address alone, or with `--json` the whole answer; to a person also how to delete it, which is told only now. */
export const printCreated = async (
  { address, answer }: Created,
  { json }: ClientFlags,
  { print, printJson, printError, written, isWatched }: Terminal,
) => {
  if (json) printJson(answer)
  else print(address)
  // What nobody can be told of is the last that is made.
  await written()
  if (json || !isWatched) return
  const deletion = addressIn(answer, 'deletionUrl')
  if (deletion) printError(`  to delete it: shortcrust delete ${shellWord(deletion)}`)
}
