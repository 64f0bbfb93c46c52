import { plural } from '../lines.ts'
import type { Terminal } from '../terminal.ts'

/** Counts files, and shows the number while it grows. */
export const counter = (terminal: Terminal, verb: string) => {
  let files = 0
  return { onFile: () => terminal.progress(`${verb} ${plural(++files, 'file')}`), count: () => files }
}
