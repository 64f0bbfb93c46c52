import { readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { WordsCalls, WordsMessage } from './finder.ts'
import { hasRoom, openWords, type Words } from './words-file.ts'

declare const self: Worker

/** On Linux, niceness is per thread: requests come before words. */
const stepBack = () => {
  if (process.platform !== 'linux') return
  const [thread] = /\d+$/.exec(readlinkSync('/proc/thread-self')) ?? []
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority
  setPriority(Number(thread), Math.min(PRIORITY_LOW, getPriority() + PRIORITY_BELOW_NORMAL))
}

try {
  stepBack()
} catch {
  // Without /proc, both get the same share.
}

/** After about so many bytes of words, 5 ms, a search gets its turn. */
const bytesPerStep = 64 * 1024

let folder = ''
let isOnDisk = false
let words: Words | undefined
/** The items that were put since a comparison began. */
let seen = new Set<number>()
let last: Promise<unknown> = Promise.resolve()

const opened = () => {
  if (!words) throw new Error('the words are not open')
  return words
}

/** Runs steps in one transaction, and lets searches in between. @param step returns about how many bytes it wrote */
const inSteps = async <T>(items: readonly T[], step: (item: T) => number) => {
  const { begin, commit, rollback } = opened()
  if (items.length === 0) return
  begin()
  try {
    let bytes = 0
    for (const item of items) {
      bytes += step(item)
      if (bytes < bytesPerStep) continue
      await nextTurn()
      bytes = 0
    }
    commit()
  } catch (error) {
    rollback()
    throw error
  }
}

const put = async ({ changes, isFirst, isLast }: WordsCalls['put']['ask']) => {
  const file = opened()
  if (isOnDisk && changes.some(({ what }) => what === 'written') && !hasRoom(folder))
    throw Object.assign(new Error('the last 16 MiB of the disk are for items'), { code: 'ENOSPC' })
  if (isFirst) seen = new Set()
  let added = 0
  await inSteps(changes, (change) => {
    const { number, bytes, isAdded } = file.put(change)
    if (number !== undefined) seen.add(number)
    if (isAdded) added++
    return bytes
  })
  if (isLast) {
    await inSteps(
      file.numbers().filter((number) => !seen.has(number)),
      file.remove,
    )
    file.check()
  }
  return { items: seen.size, added }
}

const answers: {
  [K in keyof WordsCalls]: (
    ask: WordsCalls[K]['ask'],
  ) => WordsCalls[K]['answer'] | Promise<WordsCalls[K]['answer']>
} = {
  open: (ask) => {
    words?.close(false)
    words = undefined
    folder = ask.folder
    const found = openWords(folder, ask.boot, ask.isNew)
    words = found.words
    isOnDisk = found.isOnDisk
    return { isComplete: words.isComplete(), isOnDisk, damage: found.damage }
  },
  put,
  search: (query) => opened().search(query),
  close: (isComplete) => {
    words?.close(isComplete)
    words = undefined
  },
}

const answer = <K extends keyof WordsCalls>(what: K, ask: WordsCalls[K]['ask']) => {
  if (what === 'search') return answers[what](ask)
  const work = last.then(() => answers[what](ask))
  last = work.catch(() => {})
  return work
}

self.onmessage = async ({ data: { id, what, ask } }: MessageEvent<WordsMessage>) => {
  try {
    self.postMessage({ id, answer: await answer(what, ask) })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    self.postMessage({ id, failure: message, code })
  }
}
