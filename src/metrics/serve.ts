import type { Highlighter } from '../highlight/highlighter.ts'
import type { Access } from '../http/access-log.ts'
import { json } from '../http/answers.ts'
import { listen, listenBeside, type Place } from '../http/listen.ts'
import { pathOf } from '../http/routes.ts'
import type { ItemKind } from '../items/ids.ts'
import type { Limiter } from '../services/keys.ts'
import type { ItemStore, StoredItem } from '../store/store.ts'
import type { MetricFacts, Registry } from './registry.ts'

export type Metrics = {
  meter: Meter
  /** Where the metrics are served. */
  hostname: string
  port: number
  stop: () => Promise<void>
}

/** Serves metrics on their own listener. @throws {AppError} `unusable-address` */
export const serveMetrics = async (
  address: Place,
  facts: MetricFacts,
  monotonic: () => number,
): Promise<Metrics> => {
  // Loaded only here, so a server without metrics does not pay for the library.
  const { createRegistry } = await import('./registry.ts')
  const registry = createRegistry(facts)
  const listener = listenBeside(address, 'serve metrics', '--metrics', () =>
    listen(address.host, address.port, createMetricsFetch(registry)),
  )
  return {
    meter: createMeter(registry, monotonic),
    hostname: listener.hostname ?? address.host,
    port: listener.port ?? address.port,
    stop: () => listener.stop(true),
  }
}

export type MetricsParts = { text: () => Promise<string>; contentType: string }

/** Handles requests to the metrics listener: only `GET /metrics`. */
export const createMetricsFetch =
  ({ text, contentType }: MetricsParts) =>
  async (request: Request): Promise<Response> => {
    if (pathOf(request) !== '/metrics')
      return json(
        { success: false, error: 'There is nothing at this address. Metrics are at /metrics.' },
        404,
      )
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const error = 'Method not allowed. Allowed here: GET, HEAD.'
      return json({ success: false, error }, 405, { Allow: 'GET, HEAD' })
    }
    return new Response(await text(), {
      headers: {
        'Content-Type': contentType,
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      },
    })
  }

type Creatable = {
  create: (...args: never[]) => Promise<{ deletionKey?: string | undefined }>
  delete: (...args: never[]) => Promise<unknown>
  erase: (...args: never[]) => Promise<boolean>
}

/** Wraps parts with counters; the parts do not know. */
export type Meter = {
  items: <T extends Creatable>(kind: ItemKind, items: T) => T
  store: <T extends StoredItem>(cache: string, store: ItemStore<T>) => ItemStore<T>
  limiter: (limiter: Limiter) => Limiter
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
      take: async (key, policy) => {
        const take = await limiter.take(key, policy)
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
