import { AppError } from '../../errors.ts'
import { isEverywhere } from '../../ip-address.ts'
import { createLog, type Log } from '../../log.ts'
import { type Listener, type Server, startServer } from '../../server.ts'
import type { Config } from '../../settings/config.ts'
import { shellWord } from '../../shell-words.ts'
import { networkFileSystemOf } from '../../store/folder/file-system.ts'
import { type Command, type Terminal, versionLine } from '../terminal.ts'
import { type Bound, isInContainer, openAddress, ownHost, placeLines } from './open-address.ts'

/** Time for requests in flight to finish after the stop signal. */
const drainMs = 8000

/** Time for writing the counts if those requests took too long. */
const countsDrainMs = 500

/** Time for readers of the log and of the first key, after everything else has ended. */
const logDrainMs = 2000

const orAfter = async (milliseconds: number, work: Promise<unknown>) => {
  const { promise: isLate, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  await Promise.race([work, isLate])
  clearTimeout(timer)
}

/** Always with the port, even the default one. */
const urlOf = ({ hostname, port }: Listener) =>
  `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`

/** A host to reach this machine by, for the address that it listens on; in a container, that of its host. */
const nearHost = (hostname: string, { own, isContainer }: Bound) => {
  if (!isEverywhere(hostname)) return hostname
  return isContainer ? 'HOST' : (own ?? 'localhost')
}

const announce = ({ hostname, port, metrics, netcat }: Server, bound: Bound, terminal: Terminal) => {
  terminal.print(`listening on ${urlOf({ hostname, port })}`)
  for (const line of placeLines(bound)) terminal.print(`  ${line}`)
  if (metrics) terminal.print(`  metrics: ${urlOf(metrics)}/metrics`)
  if (netcat) terminal.print(`  netcat: nc ${nearHost(netcat.hostname, bound)} ${netcat.port}`)
}

/** Every error that a person can mend is one of ours. */
const startProblem = (error: Error) =>
  error instanceof AppError ? error.message : `cannot start: ${error.message}`

/** Where everything is; of a database without its password. */
const storeOf = ({ dataFolder, store }: Config) => {
  if (store === undefined) return { data: dataFolder }
  const { hostname, pathname } = new URL(store)
  return { store: `${hostname}${pathname}` }
}

const warnOfFolder = (
  { dataFolder, allowNetworkFolder, store }: Config,
  { readFile }: Terminal,
  log: Log,
) => {
  const isTrusted = allowNetworkFolder || store !== undefined
  const type = isTrusted ? undefined : networkFileSystemOf(dataFolder, readFile)
  if (type !== undefined)
    log('warn', 'the lock and fsync of this file system cannot be trusted', {
      type,
      data: dataFolder,
      advice: 'move the folder to a local disk, or silence this with --allow-network-folder',
    })
}

const warnOfGuestKey = async ({ guestKey }: Config, { guestKeyFault }: Server, log: Log) => {
  const fault = guestKey && (await guestKeyFault())
  if (fault)
    log('warn', `the key of --guest-key ${fault.state}, so guests are refused`, {
      key: guestKey,
      advice: `type: ${fault.remedy}`,
    })
}

/** Each of these reaches as far as the network does. */
const warnOfEverybody = ({ guestFrom, trustedProxies, userHeader }: Config, log: Log) => {
  if (guestFrom?.isEverybody)
    log('warn', '--guest-from names every address: anyone who reaches this server creates without a key', {
      advice: 'name your own networks, such as 192.168.0.0/16,fd00::/8',
    })
  if (trustedProxies?.isEverybody && (guestFrom || userHeader))
    log('warn', '--trust-proxy names every address: anyone who reaches this server can be anybody', {
      advice: 'name the address of the proxy alone',
    })
}

/** Serves until a signal stops it. */
export const serve: Command = async (_, config, terminal) => {
  const { ids, now, monotonic, spawnChild } = terminal
  const log = createLog({ format: config.logFormat, now, write: terminal.logSink })
  let server: Server
  try {
    server = await startServer({ config, ids, log, now, monotonic, spawnChild, program: versionLine() })
  } catch (error) {
    terminal.printError(`shortcrust: ${startProblem(error as Error)}`)
    return 1
  }
  // Before the announcement, because its reader may send the signal at once.
  const stopSignal = terminal.stopSignal()
  const { hostname: host, port } = server
  const { publicUrl, baseUrl } = config
  const own = ownHost(terminal.readFile, host)
  const bound = { publicUrl, baseUrl, host, port, own, isContainer: isInContainer(terminal) }
  Bun.unsafe.setJITPolicy(1)
  announce(server, bound, terminal)
  const keyAdded = addFirstKey(server, openAddress(bound), terminal)
  // Starts even if nobody reads standard output and the key waits forever.
  await Promise.race([stopSignal, keyAdded])
  terminal.written().catch(() => terminal.tellUnwritten())
  log('info', 'started', { port: server.port, ...storeOf(config) })
  warnOfFolder(config, terminal, log)
  warnOfEverybody(config, log)
  await warnOfGuestKey(config, server, log)
  const signal = await stopSignal
  const stopped = server.stop()
  log('info', 'stopping', { signal })
  await orAfter(drainMs, stopped)
  await orAfter(countsDrainMs, server.flushCounts())
  log('info', 'stopped')
  await orAfter(logDrainMs, keyAdded.then(terminal.drained))
  terminal.giveUp()
  return 0
}

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
