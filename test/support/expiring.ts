import { join } from 'node:path'
import { compileCheck } from '../../src/items/check.ts'
import { createIds, sha256 } from '../../src/items/ids.ts'
import { StoredLink } from '../../src/items/link.ts'
import { createSweep } from '../../src/services/sweep.ts'
import { openDataFolder } from '../../src/store/folder/data-folder.ts'
import { newPath } from './store.ts'

/** A data folder of links whose clock the test sets; counts what is read from disk. */
export const openExpiring = async (path = newPath(), startAt = 0) => {
  const clock = { now: startAt }
  const folder = await openDataFolder(path, 'a test', () => {})
  const stored = folder.collection('links', compileCheck(StoredLink), 1_000_000)
  const ids = createIds((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
  const reads: string[] = []
  const erased: string[] = []
  const failures: { what: string; cause: unknown }[] = []
  let passes = 0
  const link = {
    ...stored,
    load: (id: string) => {
      reads.push(id)
      return stored.load(id)
    },
    all: () => {
      passes++
      return stored.all()
    },
  }
  const sweep = createSweep({
    index: folder.expiry,
    collections: { link, paste: folder.collection('pastes', compileCheck(StoredLink), 1) },
    now: () => clock.now,
    onErased: async (kind, { id }) => {
      erased.push(`${kind} ${id}`)
    },
    onFailure: (what, cause) => failures.push({ what, cause }),
  })
  return {
    path,
    clock,
    sweep,
    index: folder.expiry,
    links: link,
    reads,
    erased,
    failures,
    passes: () => passes,
    /** @param expiresAt left out for a link that stays */
    insert: (expiresAt?: number) =>
      stored.insert(
        () => ids.itemId('link'),
        (id) => ({
          id,
          createdAt: 0,
          owner: 'me',
          deletionHash: sha256(id),
          url: 'http://nas/',
          ...(expiresAt !== undefined && { expiresAt }),
        }),
        async (item, write) => {
          if (expiresAt !== undefined) await sweep.add('link', item.id, expiresAt)
          await write()
        },
      ),
    fileOf: (id: string) => join(path, 'links', id.slice(0, 2), `${id}.json`),
    close: async () => {
      await sweep.stop()
      folder.close()
    },
  }
}
export type Expiring = Awaited<ReturnType<typeof openExpiring>>
