import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../../settings/config.ts'
import { shellWord } from '../../shell-words.ts'
import { cannotWrite, nearestTo } from '../../store/folder/data-folder.ts'
import { isLocked } from '../../store/folder/lock.ts'
import { networkFileSystemOf } from '../../store/folder/network-folder.ts'
import { spaceOf } from '../../store/folder/space.ts'
import type { Terminal } from '../terminal.ts'
import { lookAtClock } from './clock.ts'
import { bad, doubtful, type Finding, good } from './finding.ts'
import { lookAtGuestKey } from './guest-key.ts'

const gibibyte = 1024 ** 3

/** Below this, a few large pastes fill the disk. */
const leastFree = 0.1 * gibibyte
const littleFree = gibibyte

/** What `keys add --create`, or a start that was cut off, may have left before the first start; `lost+found` of a disk. */
const early = new Set(['keys.json', 'keys.lock', 'lock', 'tmp', 'lost+found'])

const lookAtOwner = (folder: string): Finding => {
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

const lookAtSpace = async (folder: string): Promise<Finding[]> => {
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
): Finding => {
  const about = 'file system'
  const type = networkFileSystemOf(nearestTo(folder), readFile)
  if (type === undefined) return good(about, 'a disk of this machine')
  const says = `${type}, whose locks and fsync cannot be trusted`
  return allowNetworkFolder
    ? good(about, `${says}; you allowed it`)
    : doubtful(about, says, 'move the folder to a local disk')
}

/** @param isServing true if a server answers at the port */
const lookAtLock = (folder: string, isServing: boolean): Finding => {
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
export const lookAtFolder = async (
  config: Config,
  terminal: Terminal,
  isServing: boolean,
): Promise<Finding[]> => {
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
