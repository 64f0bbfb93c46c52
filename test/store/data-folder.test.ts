import { describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { createIds } from '../../src/items/ids.ts'
import { createKeys } from '../../src/services/keys.ts'
import { writeDurably } from '../../src/store/disk.ts'
import { cannotWrite, dataFormat } from '../../src/store/folder/data-folder.ts'
import { networkFileSystem, networkFileSystemOf } from '../../src/store/folder/file-system.ts'
import { openKeyStore } from '../../src/store/folder/key-file.ts'
import { takeLock, waitForLock } from '../../src/store/folder/lock.ts'
import { configOf } from '../support/config.ts'
import { repository, temporaryFolder } from '../support/process.ts'
import { filesIn, newPath, openNotes, refusalOf } from '../support/store.ts'

describe('a data folder', () => {
  test('is made, with every folder above it, for its owner alone', async () => {
    const path = join(newPath(), 'deep/down')
    const notes = await openNotes(path)
    await notes.insertAs(['abc'])
    await notes.insertAs(['abd'])
    await notes.erase('abd')
    const ids = createIds((bytes) => new Uint8Array(bytes))
    await createKeys({ store: openKeyStore(path), ids, now: () => 0 }).add('default')
    const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)
    const files = filesIn(path)
    expect(files.map((file) => file.slice(path.length + 1))).toEqual([
      'keys.json',
      'keys.lock',
      'lock',
      'lock.holder',
      'notes/ab/abc.json',
      'notes/ab/abd.gone',
      'shortcrust.json',
    ])
    for (const file of files) expect([file, modeOf(file)]).toEqual([file, '600'])
    for (const folder of [
      dirname(path),
      path,
      join(path, 'tmp'),
      join(path, 'notes'),
      join(path, 'notes/ab'),
    ])
      expect([folder, modeOf(folder)]).toEqual([folder, '700'])
  })

  test('carries its format, and is refused untouched when it has another one', async () => {
    const path = newPath()
    ;(await openNotes(path)).close()
    const stamp = join(path, 'shortcrust.json')
    expect(JSON.parse(readFileSync(stamp, 'utf8'))).toEqual({ product: 'shortcrust', format: dataFormat })
    const newer = JSON.stringify({ product: 'shortcrust', format: dataFormat + 1 })
    writeFileSync(stamp, newer)
    expect(await refusalOf(openNotes(path))).toEqual({
      kind: 'unusable-folder',
      message: expect.stringMatching(
        `/shortcrust.json has format ${dataFormat + 1}, and this version reads ${dataFormat}; run the newer version`,
      ),
    })
    expect(readFileSync(stamp, 'utf8')).toBe(newer)
  })

  test.each(['', '{', 'null', '[]', '{"product":"other","format":1}', '{"format":1}'])(
    'is refused with the stamp %j, and opened when the stamp is good again',
    async (content) => {
      const path = newPath()
      ;(await openNotes(path)).close()
      const stamp = join(path, 'shortcrust.json')
      const good = readFileSync(stamp)
      writeFileSync(stamp, content)
      const { kind, message } = await refusalOf(openNotes(path))
      expect(kind).toBeOneOf(['unusable-folder', 'damaged'])
      expect(message).toContain(stamp)
      expect(readFileSync(stamp, 'utf8')).toBe(content)
      writeFileSync(stamp, good)
      ;(await openNotes(path)).close()
    },
  )

  test('is swept of what a crash left half-written, and of nothing else', async () => {
    const path = newPath()
    const notes = await openNotes(path)
    await notes.insertAs(['abc'])
    notes.close()
    const before = filesIn(path)
    for (const name of ['1-0-abd.json', '1-1-keys.json', '2-7-abe.gone'])
      writeFileSync(join(path, 'tmp', name), '{')
    const again = await openNotes(path)
    expect(filesIn(path)).toEqual(before)
    expect(await again.load('abc')).toEqual({ id: 'abc', text: 'text' })
  })

  test('opens with a folder among what a crash left, and leaves that alone', async () => {
    const path = newPath()
    ;(await openNotes(path)).close()
    const folder = join(path, 'tmp/mine')
    mkdirSync(folder)
    writeFileSync(join(folder, 'notes.txt'), 'mine')
    writeFileSync(join(path, 'tmp/1-0-abd.json'), '{')
    symlinkSync(folder, join(path, 'tmp/link'))
    ;(await openNotes(path)).close()
    expect(filesIn(join(path, 'tmp'))).toEqual([join(folder, 'notes.txt')])
    expect(existsSync(join(path, 'tmp/link'))).toBe(false)
  })

  test('gets its tmp/ again with the next write, when a cleaner of old files has removed it', async () => {
    const path = newPath()
    const notes = await openNotes(path)
    rmSync(join(path, 'tmp'), { recursive: true })
    await Promise.all(['abc', 'abd', 'xyz'].map((id) => notes.insertAs([id])))
    expect(statSync(join(path, 'tmp')).mode & 0o777).toBe(0o700)
    notes.close()
    const again = await openNotes(path)
    for (const id of ['abc', 'abd', 'xyz']) expect(await again.load(id)).toMatchObject({ id })
    again.close()
  })

  test('whose disk has gone gets nothing written to the empty folder that is left', async () => {
    const path = newPath()
    const notes = await openNotes(path)
    await notes.insertAs(['abc'])
    renameSync(path, `${path}-elsewhere`)
    mkdirSync(path)
    // One in a folder that is known, one in a new one.
    for (const id of ['abd', 'xyz', 'xyy'])
      expect(await refusalOf(notes.insertAs([id]))).toMatchObject({ kind: 'storage-unavailable' })
    expect(filesIn(path)).toEqual([])
    notes.close()
  })

  test('is not swept while a command changes the keys, and opened when that is done', async () => {
    const path = newPath()
    ;(await openNotes(path)).close()
    const command = takeLock(join(path, 'keys.lock'))
    const halfWritten = join(path, 'tmp/1-0-keys.json')
    writeFileSync(halfWritten, '{')
    let isOpen = false
    const opening = openNotes(path).then((notes) => {
      isOpen = true
      return notes
    })
    // Many times as much as opening a folder takes.
    for (let write = 0; write < 100; write++)
      await writeDurably(join(path, 'keys.json'), '{"keys":[]}', join(path, 'tmp'))
    expect([isOpen, existsSync(halfWritten)]).toEqual([false, true])
    command?.release()
    const notes = await opening
    expect(existsSync(halfWritten)).toBe(false)
    notes.close()
  })

  test('shows no document beside its tombstone, and erases it when it is asked to again', async () => {
    const notes = await openNotes()
    await notes.insertAs(['abc'])
    notes.close()
    writeFileSync(notes.fileOf('abc').replace(/json$/, 'gone'), '')
    const later = await openNotes(notes.path)
    expect(await later.load('abc')).toBe('gone')
    expect(await later.erase('abc')).toBe(true)
    expect(existsSync(later.fileOf('abc'))).toBe(false)
  })

  test('on a disk that is read-only is refused, and no other owner is advised', () => {
    const path = newPath()
    const error = Object.assign(new Error('read-only file system'), { code: 'EROFS' })
    expect(cannotWrite(path, error).message).toBe(
      `cannot write the data folder ${path}: the disk is read-only; mount it writable, or choose another with --data`,
    )
  })

  test('that is a file, or below one, is refused, and the file is named', async () => {
    const file = join(temporaryFolder(), 'data')
    writeFileSync(file, '')
    for (const path of [file, join(file, 'below')]) {
      const { kind, message } = await refusalOf(openNotes(path))
      expect(kind).toBe('unusable-folder')
      expect(message).toEndWith(`${file} is a file, not a folder; choose another with --data`)
    }
    expect(readFileSync(file, 'utf8')).toBe('')
  })
})

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

const line = (point: string, type: string) => `36 35 98:0 / ${point} rw,noatime master:1 - ${type} source rw`
const mounts = [
  line('/', 'ext4'),
  line('/srv', 'nfs4'),
  line('/srv/local', 'xfs'),
  line('/mnt/my\\040share', 'cifs'),
  line('/win', 'fuseblk'),
  line('/ssh', 'fuse.sshfs'),
  line('/vm', '9p'),
  line('/over', 'ext4'),
  line('/over', 'nfs'),
].join('\n')

describe('a data folder on a mount', () => {
  test.each([
    ['/var/lib/shortcrust', undefined],
    ['/srv', 'nfs4'],
    ['/srv/data', 'nfs4'],
    ['/srvother', undefined],
    ['/srv/local/data', undefined],
    ['/mnt/my share/data', 'cifs'],
    ['/win/data', undefined],
    ['/ssh/data', 'fuse.sshfs'],
    ['/vm/data', '9p'],
    ['/over/data', 'nfs'],
  ])('at %s is on %p', (path, type) => {
    expect(networkFileSystem(mounts, path)).toBe(type as string)
  })

  test('is looked at where it really lies, and passed over where the system does not tell', () => {
    const data = join(temporaryFolder(), 'data')
    mkdirSync(data)
    expect(networkFileSystemOf(data, () => line('/', 'nfs4'))).toBe('nfs4')
    const refuse = () => {
      throw new Error('ENOENT')
    }
    expect(networkFileSystemOf(data, refuse)).toBeUndefined()
  })

  test('is allowed to be there by a flag without a value', () => {
    expect(configOf({ flags: { 'allow-network-folder': 'true' } }).allowNetworkFolder).toBe(true)
  })
})
