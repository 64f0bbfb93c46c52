import { jsonLine } from '../../output.ts'
import { shellWord } from '../../shell-words.ts'
import type { Created } from '../client/create.ts'
import { addressIn } from '../client/reply.ts'
import type { ClientFlags, Terminal } from '../terminal.ts'

/**
 * Prints the address, or the whole answer with `--json`; on standard error where standard output passes the input on. A
 * person also gets the deletion link, which is not available later.
 */
export const printCreated = async (
  { address, answer }: Created,
  { json, tee, copy }: ClientFlags,
  { print, printJson, printError, copyText, written, isWatched }: Terminal,
) => {
  if (tee) printError(json ? jsonLine(answer) : address)
  else if (json) printJson(answer)
  else print(address)
  if (copy && !copyText(address)) printError('the address is not copied: standard error is not a terminal')
  // If nobody can read the address, the command stops here and creates no more.
  await written()
  if (json || !isWatched) return
  const deletion = addressIn(answer, 'deletionUrl')
  if (deletion) printError(`  to delete it: shortcrust delete ${shellWord(deletion)}`)
}
