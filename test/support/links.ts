import { join } from 'node:path'
import { createIds } from '../../src/items/ids.ts'
import type { StoredLink } from '../../src/items/link.ts'
import { isIdOf, linkCheck } from '../../src/services/items.ts'
import { createLinks } from '../../src/services/links.ts'
import { createSweep } from '../../src/services/sweep.ts'
import { openDataFolder } from '../../src/store/folder/data-folder.ts'
import { newPath } from './store.ts'

export const testIds = createIds((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))

type LinksParts = {
  path?: string
  startAt?: number
  /** The first ids of items; then random ones. */
  ids?: readonly string[]
  /** 1 for a store that keeps nothing in memory. */
  cacheBytes?: number
  boot?: string
}

type Options = { alias?: string; expiresIn?: number; maxVisits?: number }

/** Links in a data folder, whose clock, ids and boot the test sets. */
export const openLinks = async ({
  path = newPath(),
  startAt = 0,
  cacheBytes = 1_000_000,
  ...parts
}: LinksParts = {}) => {
  const clock = { now: startAt }
  const given = [...(parts.ids ?? [])]
  const reports: string[] = []
  const failures: { what: string; cause: unknown }[] = []
  const forgotten: string[] = []
  const folder = await openDataFolder(path, 'a test', () => {})
  const now = () => clock.now
  const items = folder.items({
    now,
    report: (_, event, fields) => reports.push(`${event} ${JSON.stringify(fields ?? {})}`),
    onDamage: ({ message }) => reports.push(message),
    ...(parts.boot !== undefined && { boot: parts.boot }),
  })
  const store = items.store<StoredLink>('links', {
    check: linkCheck,
    cacheBytes,
    newId: () => given.shift() ?? testIds.itemId.link(),
    isId: isIdOf('link'),
  })
  let lifetimeMs: number | undefined
  const counts = { forget: (kind: string, id: string) => void forgotten.push(`${kind} ${id}`) }
  const links = createLinks({
    store,
    counts,
    now,
    ids: { deletionSecret: () => 'secret' },
    versions: { count: 10, bytes: 4096 },
    // To the millisecond, unlike what can be asked for.
    lifetimeOf: () => lifetimeMs,
  })
  const none = { due: async () => [], eraseDue: async () => false }
  const sweep = createSweep({
    stores: { paste: none, link: store },
    counts,
    onFailure: (what, cause) => failures.push({ what, cause }),
  })
  /** @param expiresIn milliseconds */
  const create = async ({ expiresIn, ...options }: Options = {}, owner = 'ann') => {
    lifetimeMs = expiresIn
    return (await links.create({ url: 'http://nas/', ...options }, owner, () => false)).item
  }
  return {
    path,
    clock,
    folder,
    items,
    store,
    links,
    sweep,
    reports,
    failures,
    /** Whose counts were dropped. */
    forgotten,
    create,
    idsOf: async (count = 200, owner = 'ann') => (await store.list(owner, count)).map(({ id }) => id),
    fileOf: (id: string) => join(path, 'links', id.slice(0, 2), `${id}.json`),
    close: async () => {
      await sweep.stop()
      await items.close()
      folder.close()
    },
  }
}
export type Links = Awaited<ReturnType<typeof openLinks>>
