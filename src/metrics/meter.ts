import type { Highlighter } from '../highlight/highlighter.ts'
import type { Access } from '../http/edge/access-log.ts'
import type { ItemKind } from '../items/ids.ts'
import type { RateLimiter } from '../services/access.ts'
import type { ItemStore, StoredItem } from '../store/store.ts'
import type { Registry } from './registry.ts'

type Creatable = {
  create: (...args: never[]) => Promise<{ deletionKey?: string | undefined }>
  delete: (...args: never[]) => Promise<unknown>
  erase: (...args: never[]) => Promise<boolean>
}

/** Wraps parts with counters; the parts do not know. */
export type Meter = {
  items: <T extends Creatable>(kind: ItemKind, items: T) => T
  store: <T extends StoredItem>(cache: string, store: ItemStore<T>) => ItemStore<T>
  limiter: (limiter: RateLimiter) => RateLimiter
  highlighter: (highlighter: Highlighter) => Highlighter
  highlightFailed: () => void
  pageLookup: ((isHit: boolean) => void) | undefined
  request: (access: Access) => void
}

/** Used without `--metrics`: returns every part unchanged. */
export const noMeter: Meter = {
  items: (_, items) => items,
  store: (_, store) => store,
  limiter: (limiter) => limiter,
  highlighter: (highlighter) => highlighter,
  highlightFailed: () => {},
  pageLookup: undefined,
  request: () => {},
}

const countedItems = <T extends Creatable>(registry: Registry, kind: ItemKind, items: T): T => ({
  ...items,
  create: async (...args: never[]) => {
    const made = await items.create(...args)
    if (made.deletionKey !== undefined) registry.created.inc({ kind })
    return made
  },
  delete: async (...args: never[]) => {
    const deleted = await items.delete(...args)
    registry.deleted.inc({ kind })
    return deleted
  },
  erase: async (...args: never[]) => {
    const isErased = await items.erase(...args)
    if (isErased) registry.deleted.inc({ kind })
    return isErased
  },
})

/** @param monotonic a clock that never goes back, in milliseconds */
export const createMeter = (registry: Registry, monotonic: () => number): Meter => {
  const lookup = (cache: string, isHit: boolean) =>
    registry.cacheLookups.inc({ cache, result: isHit ? 'hit' : 'miss' })

  return {
    items: (kind, items) => countedItems(registry, kind, items),

    // Counts a miss where it reads the disk, because some callers look into the cache twice. Lists do not use the cache.
    store: (cache, store) => ({
      ...store,
      peek: (name) => {
        const document = store.peek(name)
        if (document) lookup(cache, true)
        return document
      },
      load: (id) => {
        lookup(cache, false)
        return store.load(id)
      },
      loadNamed: (name) => {
        lookup(cache, false)
        return store.loadNamed(name)
      },
    }),

    limiter: (limiter) => ({
      ...limiter,
      take: (key, policy) => {
        const take = limiter.take(key, policy)
        if (!take.isAccepted) registry.refusals.inc()
        return take
      },
    }),

    highlighter: (highlighter) => ({
      ...highlighter,
      highlight: async (...job) => {
        const began = monotonic()
        const highlighting = await highlighter.highlight(...job)
        registry.highlightSeconds.observe((monotonic() - began) / 1000)
        return highlighting
      },
    }),

    highlightFailed: () => registry.highlightFailures.inc(),
    pageLookup: (isHit) => lookup('pages', isHit),
    request: ({ method, route, status, milliseconds }) => {
      registry.requests.inc({ method, route, status })
      registry.requestSeconds.observe({ route }, milliseconds / 1000)
    },
  }
}
