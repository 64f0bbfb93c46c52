import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { createTarDecoder, packTar } from 'modern-tar'
import { AppError, isSystemError, unusableFolder } from '../../errors.ts'
import { makeFolder, syncFolder } from '../disk.ts'
import { type CollectionRules, inspectFolder } from './inspect.ts'
import type { Inspected } from './inspect-file.ts'

/** A damaged or foreign file of a data folder. */
export type Problem = Extract<Inspected, { problem: string }>
export type ArchiveParts = {
  folder: string
  rules: CollectionRules
  /** Called after each file. */
  onFile: () => void
}

/** A tar archive ends with two empty blocks; `packTar` adds them to each file. */
const endBytes = 1024

/** Packs one file at a time, so memory does not grow with the archive. */
async function* tarChunks({ folder, rules, onFile }: ArchiveParts, problems: Problem[]) {
  for await (const file of inspectFolder(folder, rules)) {
    if ('problem' in file) problems.push(file)
    else {
      const body = file.bytes ?? new TextEncoder().encode(file.text)
      const header = { name: file.path, size: body.length, mode: 0o600 }
      yield (await packTar([{ header, body }])).subarray(0, -endBytes)
    }
    onFile()
  }
  yield new Uint8Array(endBytes)
}

/**
 * Writes every intact file of a data folder, also of a running server, to a tar archive with gzip.
 * @returns the damaged and foreign files, which were left out
 */
export const writeArchive = async (parts: ArchiveParts, output: Writable): Promise<Problem[]> => {
  const problems: Problem[] = []
  await pipeline(Readable.from(tarChunks(parts, problems)), createGzip(), output)
  return problems
}

const entryShape =
  /^(?:shortcrust\.json|keys\.json|counts\.sqlite|keys\.revoked-[0-9a-f]{64}|(?:aliases\/)?[a-z]+\/[a-z0-9]{2}\/[a-z0-9_-]+(?:\.[1-9]\d{0,8})?\.(?:json|gone)|counts\/[a-z]+\/[a-z0-9]{2}\.json)$/

const writeEntry = async (path: string, body: ReadableStream<Uint8Array>) => {
  await makeFolder(dirname(path))
  const handle = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of body) await handle.writeFile(chunk)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** @returns the folders that hold the files */
const unpack = async (archive: ReadableStream<Uint8Array>, folder: string, onFile: () => void) => {
  const folders = new Set<string>()
  const tar = archive.pipeThrough(
    new DecompressionStream('gzip') as unknown as ReadableWritablePair<Uint8Array>,
  )
  for await (const { header, body } of tar.pipeThrough(createTarDecoder({ strict: true }))) {
    if (!entryShape.test(header.name))
      throw unusableFolder(`the archive holds "${header.name}", which no backup does`)
    const path = join(folder, header.name)
    await writeEntry(path, body)
    folders.add(dirname(path))
    onFile()
  }
  return folders
}

const firstProblem = async (folder: string, rules: CollectionRules) => {
  let isStamped = false
  for await (const file of inspectFolder(folder, rules)) {
    if ('problem' in file) return `${file.path} ${file.problem}`
    isStamped ||= file.path === 'shortcrust.json'
  }
  return isStamped ? undefined : 'shortcrust.json is missing'
}

const isEmptyOrMissing = async (folder: string) => {
  try {
    return (await readdir(folder)).length === 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
    throw error
  }
}

/**
 * Unpacks next to the target, verifies every file, and only then renames.
 * @throws {AppError} `unusable-folder`; the target is then unchanged
 */
export const restoreArchive = async (
  { folder, rules, onFile }: ArchiveParts,
  archive: ReadableStream<Uint8Array>,
) => {
  const target = resolve(folder)
  const beside = `${target}.restoring-${process.pid}`
  try {
    if (!(await isEmptyOrMissing(target)))
      throw unusableFolder(`${target} is not empty; restore into a new folder`)
    await makeFolder(dirname(target))
    await mkdir(beside, { mode: 0o700 })
    const folders = await unpack(archive, beside, onFile)
    const problem = await firstProblem(beside, rules)
    if (problem) throw unusableFolder(`this is no whole backup: ${problem}`)
    for (const filled of folders) await syncFolder(filled)
    await rename(beside, target)
    await syncFolder(dirname(target))
  } catch (error) {
    await rm(beside, { recursive: true, force: true })
    if (error instanceof AppError) throw error
    const { message } = error as Error
    // Every other error says that the archive cannot be unpacked.
    if (isSystemError(error)) throw unusableFolder(`cannot restore into ${target}: ${message}`)
    throw unusableFolder(
      `this file is not a backup, or only a part of one (${message}); nothing was restored`,
    )
  }
}
