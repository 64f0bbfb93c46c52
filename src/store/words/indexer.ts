import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { inMemory } from '../derived/derived-file.ts'
import { writeDurably } from '../disk.ts'
import { ownerOf } from './facts.ts'
import { marks, readItemWords } from './item-words.ts'
import type { Asked, OpenParts, Query, UsedRow } from './protocol.ts'
import { createTokens, type Tokens } from './tokens.ts'
import { openWordsFile, renewWordsFile, type WordsFile, wordsKeyName, wordsName } from './words-file.ts'

/** After so many bytes of texts, about 5 ms, a search gets its turn; small items count as `smallBytes`. */
const bytesPerStep = 64 * 1024
const smallBytes = 4096
/** Numbers compared before the next search gets its turn. */
const numbersPerStep = 1000

/** The last free bytes of a disk are for documents. */
const leastFreeBytes = 16 * 1024 ** 2

const hasRoom = (folder: string) => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize >= leastFreeBytes
}
/** @throws {Error} ENOSPC */
const checkRoom = (folder: string) => {
  if (!hasRoom(folder))
    throw Object.assign(new Error('the last 16 MiB of the disk are for items'), { code: 'ENOSPC' })
}

const keyBytes = 32

/** The key of this folder. A new one is synced before it is used, so the words outlive the next power cut. */
const readKey = async (folder: string) => {
  const path = join(folder, wordsKeyName)
  try {
    const key = readFileSync(path)
    if (key.length === keyBytes) return key
  } catch {}
  const key = randomBytes(keyBytes)
  await writeDurably(path, key, join(folder, 'tmp'))
  return key
}

type Opened = {
  folder: string
  tokens: Tokens
  file: WordsFile
  renew: () => WordsFile
  /** Why the words that were there could not be opened. */
  damage?: string
}

/** Opens the words; empty ones if there are none that can be trusted. */
const openWords = async ({ folder, boot }: OpenParts): Promise<Opened> => {
  // Without a place for the key, there is none for the words either.
  const hasPlace = existsSync(join(folder, wordsName)) || hasRoom(folder)
  const key = hasPlace ? await readKey(folder).catch(() => undefined) : undefined
  const tokens = createTokens(key ?? randomBytes(keyBytes))
  const file = key ? join(folder, wordsName) : inMemory
  const keyCheck = Number.parseInt(tokens.ofMark('key'), 36)
  const parts = { file, boot, keyCheck }

  const renew = () => {
    try {
      return renewWordsFile(parts)
    } catch {
      return renewWordsFile({ ...parts, file: inMemory })
    }
  }
  const open = () => {
    try {
      const words = openWordsFile(parts)
      if (words.state.isWhole) return { file: words }
      words.close(false)
      return { file: renew() }
    } catch (error) {
      return { file: renew(), damage: (error as Error).message }
    }
  }
  return { folder, tokens, renew, ...open() }
}

/** The last number when the comparison began, and the numbers that were put since. */
type Comparison = { last: number; seen: Set<number> }

const createPut = (opened: () => Opened, seen: (number: number) => void) => {
  /** @throws SQLite's error, or that of the disk */
  const putRow = (row: UsedRow) => {
    const { file, folder, tokens } = opened()
    const { kind, id } = row
    if (!file.isCurrent(row)) {
      const found = readItemWords(folder, kind, id)
      if (found) file.put({ kind, id, uses: row.uses, ...found.facts }, tokens.of(found.words))
      else file.remove(kind, id)
    }
    const number = file.numberOf(kind, id)
    if (number !== undefined) seen(number)
  }

  /** Runs steps in one transaction, and lets searches in between. */
  const inSteps = async <T>(items: readonly T[], step: (item: T) => void, sizeOf = (_: T) => 0) => {
    if (items.length === 0) return
    const { file } = opened()
    file.begin()
    try {
      let bytes = 0
      for (const item of items) {
        step(item)
        bytes += Math.max(smallBytes, sizeOf(item))
        if (bytes < bytesPerStep) continue
        await nextTurn()
        bytes = 0
      }
      file.commit()
    } catch (error) {
      file.rollback()
      throw error
    }
  }
  return { putRow, inSteps }
}

/** Removes the items up to a number that were not seen. */
const createRemoval =
  (inPlace: () => WordsFile, inSteps: ReturnType<typeof createPut>['inSteps']) =>
  async (last: number, seen: ReadonlySet<number>) => {
    for (let at = 0, isMore = true; isMore; await nextTurn()) {
      const numbers = inPlace().numbersAfter(at, numbersPerStep)
      const extra = numbers.filter((number) => number <= last && !seen.has(number))
      await inSteps(extra, (number) => inPlace().removeNumber(number))
      isMore = numbers.length === numbersPerStep
      at = numbers.at(-1) ?? at
    }
  }

/** What the tokens of an item must match, and whose it must be. To match another token of most items takes 4 ms for 100,000. */
const searchFor = ({ tokens, file }: Opened, { kind, owner, language, text, ...others }: Query) => {
  const only = owner === undefined ? undefined : ownerOf(kind, owner)
  const isChosenLater = only !== undefined && file.hasMost(only)
  const match = tokens.query(text, [
    ...(isChosenLater ? [] : [owner === undefined ? marks.kind(kind) : marks.owner(kind, owner)]),
    ...(language === undefined ? [] : [marks.language(language)]),
  ])
  return match === undefined ? undefined : { ...others, match, only: isChosenLater ? only : undefined }
}

/** @returns `undefined` if the text has no word, or too many */
const find = (words: Opened, query: Query) => {
  if (query.sort === 'uses' && query.text === '' && query.language === undefined)
    return words.file.mostUsed(query)
  const search = searchFor(words, query)
  return search && words.file.search(search)
}

type Answers = {
  [K in keyof Asked]: (ask: Asked[K]['ask']) => Asked[K]['answer'] | Promise<Asked[K]['answer']>
}

/** Owns the words of a data folder. Methods other than `search` are called one at a time. */
export const createIndexer = (): Answers => {
  let current: Opened | undefined
  let comparison: Comparison | undefined
  const opened = () => {
    if (!current) throw new Error('the words are not open')
    return current
  }
  const inPlace = () => {
    const { file } = opened()
    if (!file.state.isInPlace()) throw new Error('the words were removed or replaced')
    return file
  }
  const { putRow, inSteps } = createPut(opened, (number) => comparison?.seen.add(number))
  const removeUnseen = createRemoval(inPlace, inSteps)

  return {
    open: async (parts) => {
      current = await openWords(parts)
      const { file, damage } = opened()
      return { isComplete: file.state.isClean(), isOnDisk: file.isOnDisk, damage }
    },
    renew: () => {
      const words = opened()
      words.file.close(false)
      words.file = words.renew()
      return words.file.isOnDisk
    },

    put: async ({ rows, removed, used }) => {
      const { isOnDisk, setUses } = inPlace()
      if (isOnDisk && rows.length > 0) checkRoom(opened().folder)
      await inSteps(used, setUses)
      await inSteps(removed, ({ kind, id }) => opened().file.remove(kind, id))
      await inSteps(rows, putRow, ({ bytes }) => bytes)
    },

    beginComparison: () => {
      comparison = { last: inPlace().lastNumber(), seen: new Set() }
    },
    endComparison: async () => {
      const { last, seen } = comparison ?? { last: 0, seen: new Set() }
      comparison = undefined
      await removeUnseen(last, seen)
      return { items: seen.size, added: [...seen].filter((number) => number > last).length }
    },

    check: () => inPlace().check(),

    search: (query) => find({ ...opened(), file: inPlace() }, query),

    close: (isWhole) => {
      current?.file.close(isWhole)
      current = undefined
    },
  }
}
