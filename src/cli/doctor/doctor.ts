import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { AppError } from '../../errors.ts'
import { secondsText } from '../../items/durations.ts'
import { createKeyRing, guestKeyFault } from '../../services/keys.ts'
import type { Config } from '../../settings/config.ts'
import { parseAddress } from '../../settings/values.ts'
import { shellWord } from '../../shell-words.ts'
import { cannotWrite, nearestTo } from '../../store/folder/data-folder.ts'
import { networkFileSystemOf, spaceOf } from '../../store/folder/file-system.ts'
import { openKeyStore } from '../../store/folder/key-file.ts'
import { isLocked } from '../../store/folder/lock.ts'
import { wrongUsage } from '../client/send.ts'
import { ownCommitTime } from '../server/commit.ts' with { type: 'macro' }
import { ownHost } from '../server/open-address.ts'
import { type Command, plural, type Terminal } from '../terminal.ts'
import { bad, type Diagnosis, doubtful, good } from './finding.ts'
import { lookAtPorts, lookAtProxy } from './network.ts'

const stateWords = { good: 'good', doubtful: 'look', bad: 'bad' } as const

const print = async ({ about, state, says, advice }: Diagnosis, terminal: Terminal) => {
  const indent = ' '.repeat(6)
  await terminal.print(`${stateWords[state].padEnd(6)}${about}: ${says}`)
  if (advice !== undefined) await terminal.print(`${indent}→ ${advice}`)
}

const addressAsked = (raw: string | undefined) => {
  try {
    return raw === undefined ? undefined : parseAddress(raw)
  } catch (error) {
    throw wrongUsage(`--url: expected ${(error as Error).message}, not "${raw}"`)
  }
}

/** Looks at what a server with these settings needs, and says what to do. @returns 1 if something is bad */
export const doctor: Command = async (_, config, terminal, { url }) => {
  const address = addressAsked(url) ?? config.publicUrl
  const { findings: ports, isServing } = await lookAtPorts(config, ownHost(terminal.readFile, config.host))
  const findings = [
    ...ports,
    ...(await lookAtFolder(config, terminal, isServing)),
    ...lookAtOpenFiles(terminal),
    ...(address === undefined ? [] : await lookAtProxy(address, config)),
  ]
  for (const finding of findings) await print(finding, terminal)
  const problems = findings.filter(({ state }) => state === 'bad').length
  if (problems > 0) await terminal.print(`${plural(problems, 'problem')} found`)
  await terminal.written()
  return problems === 0 ? 0 : 1
}

/** One connection is one open file; 300 readers who follow a paste and a hundred uploads fit. */
const least = 1024

/** The limit of open files, on Linux. The runtime raises the soft limit to the hard one. */
const lookAtOpenFiles = ({ readFile }: Terminal): Diagnosis[] => {
  const about = 'open files'
  let limits: string
  try {
    limits = readFile('/proc/self/limits')
  } catch {
    return []
  }
  const [, hard = ''] = /^Max open files\s+\S+\s+(\S+)/m.exec(limits) ?? []
  if (hard === 'unlimited' || Number(hard) >= least) return [good(about, `up to ${hard}`)]
  const advice = `raise it to ${least}: ulimit -n, LimitNOFILE= of systemd, or ulimits of compose`
  return [doubtful(about, `only ${hard}, so connections may be refused`, advice)]
}

/** Sources without a repository do not know their date, but none is older than the first commit. */
const firstCommitAt = Date.UTC(2026, 10, 21)

const builtAt = Math.max(firstCommitAt, ownCommitTime())

/** File systems of other machines have clocks of their own. */
const toleratedMs = 60_000

/** Who commits may have a clock that is ahead. */
const toleratedOfBuildMs = 86_400_000

/** Files that a server wrote last; their times tell what the clock must not be behind. */
const writtenAt = (folder: string) =>
  ['shortcrust.json', 'keys.json', 'index.sqlite', 'counts.sqlite', 'words.sqlite']
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0)
    .reduce((last, time) => Math.max(last, time), 0)

/** Whether the clock is behind the last write to the folder, or behind this program: some boards start in 1970. */
export const lookAtClock = (folder: string, now: number): Diagnosis => {
  const about = 'clock'
  const shown = secondsText(now)
  const advice = 'set the time, for example by NTP: expiries and rates need it'
  const last = writtenAt(folder)
  if (last > now + toleratedMs)
    return bad(about, `${shown}, before the last write to the folder, ${secondsText(last)}`, advice)
  if (builtAt > now + toleratedOfBuildMs)
    return bad(about, `${shown}, before this program was written, ${secondsText(builtAt)}`, advice)
  return good(about, shown)
}

/** Whether the key that stands for guests can be used, where there are guests. */
const lookAtGuestKey = async (
  { guestKey, apiKey }: Config,
  folder: string,
  now: () => number,
): Promise<Diagnosis[]> => {
  if (guestKey === undefined) return []
  const about = 'guest key'
  let damage: AppError | undefined
  const onDamage = (error: AppError) => {
    damage = error
  }
  const { named } = createKeyRing({ store: openKeyStore(folder), apiKey, now, onDamage, onUse: () => {} })
  const fault = guestKeyFault(guestKey, await named(guestKey), now())
  if (!fault) return [good(about, `guests count as ${guestKey}`)]
  if (damage)
    return [bad(about, `the keys cannot be read: ${damage.message}`, 'put keys.json back from a backup')]
  const isMissing = fault.state === 'does not exist'
  const create = isMissing && !existsSync(join(folder, 'shortcrust.json')) ? ' --create' : ''
  const says = isMissing ? `there is no key ${guestKey}` : `${guestKey} ${fault.state}`
  const advice = `type: ${fault.remedy}${create} --data ${shellWord(folder)}`
  return [bad(about, `${says}, so guests are refused`, advice)]
}

const gibibyte = 1024 ** 3

/** Below this, a few large pastes fill the disk. */
const leastFree = 0.1 * gibibyte
const littleFree = gibibyte

/** What `keys add --create`, or a start that was cut off, may have left before the first start; `lost+found` of a disk. */
const early = new Set(['keys.json', 'keys.lock', 'lock', 'tmp', 'lost+found'])

const lookAtOwner = (folder: string): Diagnosis => {
  const about = 'folder'
  const place = nearestTo(folder)
  if (!statSync(place).isDirectory())
    return bad(about, `${place} is not a folder`, 'choose another with --data')
  try {
    accessSync(place, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    return bad(about, cannotWrite(folder, error).message, 'give it to the user of the server')
  }
  if (place !== folder) return good(about, `${folder} does not exist yet; the first start makes it`)
  const isStamped = existsSync(join(folder, 'shortcrust.json'))
  if (!isStamped && readdirSync(folder).some((name) => !early.has(name)))
    return bad(about, `${folder} holds other things`, 'choose an empty one with --data')
  const { uid } = statSync(folder)
  const own = process.getuid?.()
  if (own !== undefined && own !== uid)
    return doubtful(
      about,
      `${folder} belongs to uid ${uid}, and you are uid ${own}`,
      `start the server as uid ${uid}, or type: sudo chown -R ${own} ${shellWord(folder)}`,
    )
  return good(about, `${folder} can be read and written`)
}

const lookAtSpace = async (folder: string): Promise<Diagnosis[]> => {
  const space = await spaceOf(nearestTo(folder))
  if (!space) return []
  const free = `${(space.freeBytes / gibibyte).toFixed(1)} GiB free on its disk`
  if (space.freeBytes < leastFree)
    return [bad('space', free, 'free some, or move the folder to another disk')]
  if (space.freeBytes < littleFree)
    return [doubtful('space', free, 'watch it: a full disk refuses creations')]
  return [good('space', free)]
}

const lookAtFileSystem = (
  folder: string,
  { allowNetworkFolder }: Config,
  { readFile }: Terminal,
): Diagnosis => {
  const about = 'file system'
  const type = networkFileSystemOf(nearestTo(folder), readFile)
  if (type === undefined) return good(about, 'a disk of this machine')
  const says = `${type}, whose locks and fsync cannot be trusted`
  return allowNetworkFolder
    ? good(about, `${says}; you allowed it`)
    : doubtful(about, says, 'move the folder to a local disk')
}

/** @param isServing true if a server answers at the port */
const lookAtLock = (folder: string, isServing: boolean): Diagnosis => {
  const about = 'lock'
  const file = join(folder, 'lock')
  if (!existsSync(file) || !isLocked(file))
    return isServing
      ? doubtful(about, `the server at the port uses another folder`, 'name its folder with --data')
      : good(about, 'no server uses the folder')
  if (isServing) return good(about, 'the running server holds it')
  return doubtful(about, 'a server uses the folder, at another port', 'name its port with --port, or stop it')
}

/** Owner, space, file system and lock of the data folder, the guest key in it, and the clock, which must not be behind it. */
const lookAtFolder = async (config: Config, terminal: Terminal, isServing: boolean): Promise<Diagnosis[]> => {
  if (config.store !== undefined)
    return [good('folder', 'not used: everything is in the database of --store')]
  const folder = resolve(config.dataFolder)
  const owner = lookAtOwner(folder)
  return [
    owner,
    ...(await lookAtSpace(folder)),
    lookAtFileSystem(folder, config, terminal),
    ...(owner.state === 'bad'
      ? []
      : [
          lookAtLock(folder, isServing),
          ...(await lookAtGuestKey(config, folder, terminal.now)),
          lookAtClock(folder, terminal.now()),
        ]),
  ]
}
