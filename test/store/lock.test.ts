import { describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { takeLock, waitForLock } from '../../src/store/folder/lock.ts'
import { repository } from '../support/process.ts'
import { newPath, openNotes, refusalOf } from '../support/store.ts'

/** Evaluates an expression in a process of its own, which keeps the outcome, and ends with this one. */
const holdElsewhere = async (expression: string) => {
  const child = Bun.spawn(
    [process.execPath, '-e', `globalThis.kept = ${expression}\nconsole.log('held')\nprocess.stdin.resume()`],
    {
      cwd: repository,
      stdin: 'pipe',
      stdout: 'pipe',
    },
  )
  const { value } = await child.stdout.getReader().read()
  if (new TextDecoder().decode(value).trim() !== 'held') throw new Error('nothing is held')
  return async () => {
    child.kill('SIGKILL')
    await child.exited
  }
}

describe('the lock', () => {
  const openThere = (path: string) =>
    `await (await import('./src/store/folder/data-folder.ts')).openDataFolder(${JSON.stringify(path)}, 'the first one', () => {})`
  const lockThere = (path: string) =>
    `(await import('./src/store/folder/lock.ts')).takeLock(${JSON.stringify(path)})`

  test('keeps a second process out of a data folder, names the first, and ends with it', async () => {
    const path = newPath()
    const kill = await holdElsewhere(openThere(path))
    expect(await refusalOf(openNotes(path))).toEqual({
      kind: 'unusable-folder',
      message: `the data folder ${path} is in use by the first one`,
    })
    await kill()
    ;(await openNotes(path)).close()
  })

  test('is held by one, in this process or another, until it is released', async () => {
    const folder = newPath()
    mkdirSync(folder)
    const path = join(folder, 'lock')
    const lock = takeLock(path)
    expect(takeLock(path)).toBeUndefined()
    lock?.release()
    const kill = await holdElsewhere(lockThere(path))
    expect(takeLock(path)).toBeUndefined()
    expect(await waitForLock(path, 0)).toBeUndefined()
    const waiting = waitForLock(path, 30_000)
    await kill()
    expect(await waiting).toBeDefined()
  })
})
