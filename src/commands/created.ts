import type { Created } from '../client/create.ts'
import { addressIn } from '../client/judge.ts'
import type { ClientFlags, Terminal } from './terminal.ts'

/** The address alone, or with `--json` the whole answer; to a person also how to delete it, which is told only now. */
export const printCreated = (
  { address, answer }: Created,
  { json }: ClientFlags,
  { print, printError, isWatched }: Terminal,
) => {
  if (json) return print(JSON.stringify(answer))
  print(address)
  if (!isWatched) return
  const deletion = addressIn(answer, 'deletionUrl', address)
  if ('address' in deletion) printError(`  to delete it: shortcrust delete '${deletion.address}'`)
}
