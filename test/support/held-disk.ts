import { mock } from 'bun:test'
import * as real from 'node:fs/promises'

/** A call that puts a file in place, or takes one away. */
type Call = 'rename' | 'unlink'
type Caught = { call: Call; file: RegExp; instead: (work: () => Promise<void>) => Promise<void> }

const { rename, unlink } = real
let caught: Caught | undefined

const pass = (call: Call, path: string, work: () => Promise<void>) => {
  if (caught?.call !== call || !caught.file.test(path)) return work()
  const { instead } = caught
  caught = undefined
  return instead(work)
}
mock.module('node:fs/promises', () => ({
  ...real,
  rename: (from: string, to: string) => pass('rename', to, () => rename(from, to)),
  unlink: (path: string) => pass('unlink', path, () => unlink(path)),
}))

/**
 * Holds the next such call of this process, for ever if it is not released.
 * @param when `after`: the call has been done, but nobody knows yet
 */
export const hold = (call: Call, file: RegExp, when: 'before' | 'after' = 'before') => {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const instead: Caught['instead'] = async (work) => {
    if (when === 'after') await work()
    reach()
    await released
    if (when === 'before') await work()
  }
  caught = { call, file, instead }
  return { reached, release }
}

/** Lets the next such call of this process fail. */
export const breakOne = (call: Call, file: RegExp) => {
  const instead = () => Promise.reject(Object.assign(new Error('a full disk'), { code: 'ENOSPC' }))
  caught = { call, file, instead }
}
