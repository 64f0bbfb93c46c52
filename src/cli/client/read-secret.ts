import type { ReadStream } from 'node:tty'

const maxCharacters = 1000

/** A hidden line from a terminal; `undefined` after Ctrl-C or Ctrl-D. */
const readHidden = async (stdin: ReadStream, ask: () => void): Promise<string | undefined> => {
  let typed = ''
  stdin.setRawMode(true)
  // Only now: what is typed earlier would be visible.
  ask()
  try {
    for await (const chunk of stdin)
      for (const character of String(chunk)) {
        if (character === '\r' || character === '\n') return typed
        if (character === '\x03' || character === '\x04') return undefined
        if (character === '\x7f' || character === '\b') typed = typed.slice(0, -1)
        else if (character >= ' ' && typed.length < maxCharacters) typed += character
      }
    return undefined
  } finally {
    stdin.setRawMode(false)
  }
}

const readPiped = async (stdin: ReadStream) => {
  let text = ''
  for await (const chunk of stdin) {
    text += chunk
    if (text.length > maxCharacters) break
  }
  return text.trim()
}

/** Callbacks for a person at a terminal. */
export type Prompt = { ask: () => void; answered: () => void }

/** Reads a secret from a terminal without echo, or from a pipe; white space around it is removed. */
export const readSecret = async (stdin: ReadStream, { ask, answered }: Prompt) => {
  if (!stdin.isTTY) return readPiped(stdin)
  const typed = await readHidden(stdin, ask)
  answered()
  return typed?.trim()
}
