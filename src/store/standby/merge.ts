import { rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { unusableFolder } from '../../errors.ts'
import { secondsText } from '../../items/durations.ts'
import type { Changeable } from '../../items/versions.ts'
import { makeFolder, namesIn, syncFolder } from '../disk.ts'
import { earlierOf } from '../documents/documents.ts'
import { checkedJson } from '../documents/json-file.ts'
import { type ArchiveParts, type Span, unpackBeside } from '../folder/archive.ts'
import { inspectFolder } from '../folder/inspect.ts'
import { shortText } from '../folder/inspect-file.ts'
import { openStandby } from './open-standby.ts'

/** @throws {AppError} `unusable-folder` if there is a gap between the copy and the archive */
const checkFollows = (until: number | undefined) => (span: Span) => {
  if (span.since === undefined) return
  if (until === undefined) throw unusableFolder('this is a part of a backup; begin the copy with a whole one')
  if (span.since > until)
    throw unusableFolder(
      `the copy ends at ${secondsText(until)}, and this backup begins only at ${secondsText(span.since)}; ` +
        `send one with --since ${secondsText(until)}`,
    )
}

/** Files of an item that the copy has, and that a later document or tombstone of it replaces. */
const replacedBy = async (folder: string, beside: string, path: string) => {
  const [, place = '', id = '', ending] = /^((?:pastes|links)\/..)\/([^./]+)\.(json|gone)$/.exec(path) ?? []
  if (ending === undefined) return []
  const names = (await namesIn(join(folder, place))).filter((name) => name.startsWith(`${id}.`))
  const earlier =
    ending === 'gone' ? [] : (checkedJson.decode(await shortText(join(beside, path))) as Changeable).earlier
  const kept = new Set(earlier?.map(({ version }) => version))
  return names
    .filter((name) => {
      const [, version] = earlierOf(name) ?? []
      return version === undefined ? ending === 'gone' && name.endsWith('.json') : !kept.has(version)
    })
    .map((name) => join(folder, place, name))
}

/** Moves every file of `beside` to its place, and removes what it replaces. */
const moveAll = async ({ folder, rules }: ArchiveParts, beside: string) => {
  const changed = new Set<string>()
  for await (const { path } of inspectFolder(beside, rules, { isShort: true })) {
    const replaced = await replacedBy(folder, beside, path)
    const goal = join(folder, path)
    await makeFolder(dirname(goal))
    await rename(join(beside, path), goal)
    for (const file of replaced) await unlink(file)
    changed.add(dirname(goal))
  }
  for (const place of changed) await syncFolder(place)
}

/**
 * Writes a backup, or a part of one (`--since`), into a copy that earlier backups made: newer files replace older ones, and
 * what was deleted goes. Nothing is changed if the archive is damaged, or if something between it and the copy is missing.
 * @throws {AppError} `unusable-folder`
 */
export const mergeArchive = async (parts: ArchiveParts, archive: Readable) => {
  const naming = { what: 'the copy', another: 'choose another with --data' }
  const { path, until, reached, discard, lock } = await openStandby({
    ...{ folder: parts.folder, of: 'backups', naming },
  })
  const own = { ...parts, folder: path }
  let isBegun = false
  try {
    await unpackBeside(own, archive, checkFollows(until), async (beside, span) => {
      isBegun = true
      await moveAll(own, beside.path)
      await reached(Math.max(span.began, until ?? 0))
    })
  } catch (error) {
    // A copy that got nothing would only be in the way of the next command.
    if (!isBegun) discard()
    throw error
  } finally {
    lock.release()
  }
}
