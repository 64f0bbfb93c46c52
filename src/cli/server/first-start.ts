import { AppError } from '../../errors.ts'
import type { Server } from '../../server.ts'
import { shellWord } from '../../shell-words.ts'
import type { Terminal } from '../terminal.ts'
import type { openAddress } from './open-address.ts'

const firstPaste = '{"text":"hello","title":"First","description":"","language":"text"}'

const curlLine = (port: number, key: string) => {
  const headers = [`key: ${key}`, 'Content-Type: application/json'].flatMap((header) => ['-H', header])
  const words = ['curl', `http://127.0.0.1:${port}/paste`, ...headers, '-d', firstPaste]
  return words.map(shellWord).join(' ')
}

/** A QR code in half blocks for dark terminals; no lines if it is too wide. */
const codeLines = async (address: string, columns: number) => {
  const { renderUnicodeCompact } = await import('uqr')
  const lines = renderUnicodeCompact(address, { border: 2 }).split('\n')
  return lines.every((line) => line.length <= columns) ? lines : []
}

const showAddress = async (
  { address, isNear }: ReturnType<typeof openAddress>,
  { print, columns }: Terminal,
) => {
  print(`  open ${address ?? 'it'} in a browser and enter this key`)
  // A phone cannot open a loopback address, and a log should contain no picture.
  const lines =
    columns === undefined || isNear || address === undefined ? [] : await codeLines(address, columns)
  for (const line of lines) print(line)
}

/** Creates and shows the first key. If that fails, the server runs on without: a key can be created later. */
export const addFirstKey = async (
  { port, addFirstKey: add }: Server,
  open: ReturnType<typeof openAddress>,
  terminal: Terminal,
) => {
  const advice = 'make one with: shortcrust keys add NAME'
  try {
    const key = await add((made) => {
      terminal.print(`  API key "default", shown only this once: ${made}`)
      return terminal.written()
    })
    if (key === undefined) return
    // Only now, because the key works from here on.
    await showAddress(open, terminal)
    terminal.print(`  or try: ${curlLine(port, key)}`)
  } catch (error) {
    if (terminal.tellUnwritten(`no key was made; ${advice}`)) return
    if (!(error instanceof AppError)) throw error
    terminal.printError(`shortcrust: ${error.message.replace(/\.$/, '')}; ${advice}`)
  }
}
