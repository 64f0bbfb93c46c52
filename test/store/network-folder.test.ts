import { describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { networkFileSystem, networkFileSystemOf } from '../../src/store/folder/file-system.ts'
import { configOf } from '../support/config.ts'
import { temporaryFolder } from '../support/process.ts'

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

describe('a data folder', () => {
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
