import { type App, createApp } from './app.ts'
import { isDamage, unusableFolder } from './errors.ts'
import { createHighlighter, highlightingLimits, type SpawnChild } from './highlight/highlighter.ts'
import { detectLanguage } from './highlight/languages/detect/detect-language.ts'
import { findLanguage } from './highlight/languages/languages.ts'
import { createAccessLog } from './http/access-log.ts'
import { createAssets } from './http/assets.ts'
import { listen, listenForPages } from './http/listen.ts'
import { createPools } from './http/memory.ts'
import { createOrigin, type Origin } from './http/origin.ts'
import { createKeyChecks, createKeyless } from './http/who.ts'
import type { Check } from './items/field.ts'
import type { Ids, ItemKind } from './items/ids.ts'
import { createReports, type Log, type Reports } from './log.ts'
import { type Meter, noMeter, serveMetrics } from './metrics/serve.ts'
import { type NetcatServerParts, netcatLimits, serveNetcat } from './netcat.ts'
import { type Counts, createCounts } from './services/counts.ts'
import { isIdOf, linkCheck, pasteCheck } from './services/items.ts'
import {
  createAdmission,
  createGuests,
  createKeyRing,
  createKeys,
  createRateLimiter,
  type Guests,
  type Keys,
  type Limiter,
  requireScope,
} from './services/keys.ts'
import { changedLifetimes, createLifetimes, lifetimeChoices } from './services/options.ts'
import { createItemServices } from './services/own-items.ts'
import { createStats, heldByKind } from './services/stats.ts'
import { createSweep } from './services/sweep.ts'
import type { Config } from './settings/config.ts'
import { openDataFolder } from './store/folder/data-folder.ts'
import { spaceOf } from './store/folder/file-system.ts'
import { type KeyStore, openKeyStore } from './store/folder/key-file.ts'
import type { Collections, Storage, StoredItem } from './store/store.ts'

const mebibyte = 1024 ** 2

/** Memory for documents and finished pages: about 1,900 pastes of 4 KB, 5,500 links, 1,100 highlighted pages. */
const cacheBytes = { pastes: 16 * mebibyte, links: 4 * mebibyte, pages: 24 * mebibyte }

/** A paste takes two bytes per character in memory. The largest has to fit with its other fields, or each read goes to disk. */
const pasteCacheBytes = (maxPasteBytes: number) => Math.max(cacheBytes.pastes, 3 * maxPasteBytes)

/** Addresses of guests and users whose rate is counted at the same time: 20 MB at most. */
const mostKeyless = 100_000

/** `kill -9` may lose this much of the counts. */
const countsFlushMs = 1000

export type ServerParts = {
  config: Config
  ids: Ids
  log: Log
  /** Milliseconds since the epoch. */
  now: () => number
  /** A clock that never goes back, in milliseconds. */
  monotonic: () => number
  spawnChild: SpawnChild
  /** Version of this program, for its entity tags. */
  program: string
}

export type Listener = { hostname: string; port: number }
export type Server = Listener & {
  metrics: Listener | undefined
  netcat: Listener | undefined
  /** Creates the first key, unless there are keys already. */
  addFirstKey: Keys['addFirst']
  guestKeyFault: Guests['keyFault']
  /** Stops accepting, lets requests in flight finish, then releases the data folder. */
  stop: () => Promise<void>
  /** Writes the counts now, if stopping takes too long. */
  flushCounts: () => Promise<void>
}

const openHighlighter = (spawn: SpawnChild, meter: Meter, reports: Reports) =>
  createHighlighter({
    ...highlightingLimits,
    spawn,
    onFailure: (why) => {
      meter.highlightFailed()
      reports.shownPlain(why)
    },
  })
const openStores = (items: Collections, ids: Ids, meter: Meter, maxPasteBytes: number) => {
  const open = <T extends StoredItem>(kind: ItemKind, name: string, check: Check<T>, bytes: number) => {
    const parts = { check, cacheBytes: bytes, newId: ids.itemId[kind], isId: isIdOf(kind) }
    return meter.store(name, items.store<T>(name, parts))
  }
  return {
    paste: open('paste', 'pastes', pasteCheck, pasteCacheBytes(maxPasteBytes)),
    link: open('link', 'links', linkCheck, cacheBytes.links),
  }
}

type StoragePlace = {
  storage: Storage
  keyStore: KeyStore
  /** Free space of the disk; `undefined` if nobody can say. */
  space: () => ReturnType<typeof spaceOf>
  /** Buckets that all processes share; those of a folder are in memory. */
  limiter: Limiter | undefined
}

/** The data folder; with `--store`, the database. @throws {AppError} `unusable-folder` */
const openStorage = async (
  { config: { dataFolder, store }, now, monotonic }: ServerParts,
  reports: Reports,
): Promise<StoragePlace> => {
  if (store === undefined) {
    const holder = `process ${process.pid}, started ${new Date(now()).toISOString()}`
    const folder = await openDataFolder(dataFolder, holder, reports.storage)
    const { path } = folder
    return { storage: folder, keyStore: openKeyStore(path), space: () => spaceOf(path), limiter: undefined }
  }
  // Loaded only here: who serves a folder pays for no driver.
  const { openPostgres } = await import('./store/postgres/storage.ts')
  const storage = await openPostgres({
    ...{ url: store, onHealthChange: reports.storage },
    ...{ onWaiting: reports.databaseAwaited, onRisk: reports.databaseRisk },
  })
  return {
    storage,
    keyStore: storage.keys,
    space: async () => undefined,
    limiter: storage.limiter(monotonic),
  }
}

/** Items and their counts: lists are sorted by use. */
const openCountedItems = (
  storage: Storage,
  now: () => number,
  reports: Reports,
  started: AsyncDisposableStack,
) => {
  const counts = createCounts({
    store: storage.counts(reports.countsPutAside),
    flushMs: countsFlushMs,
    onWritten: (written) => items.used(written.map(({ kind, id }) => ({ kind: `${kind}s`, id }))),
    onChange: reports.countsWritten,
  })
  started.defer(counts.close)
  const items = storage.items({ now, report: reports.listed, onDamage: reports.leftOut })
  started.defer(items.close)
  // The words take what was counted last.
  started.defer(counts.flush)
  return { counts, items }
}

type SendersParts = Pick<StoragePlace, 'keyStore' | 'limiter'> & {
  meter: Meter
  counts: Counts
  reports: Reports
  origin: Origin
}

/** Who may create: keys, guests of the network, users that a proxy names. */
const openSenders = (
  { config, now, monotonic }: ServerParts,
  { keyStore, limiter, meter, counts, reports, origin }: SendersParts,
) => {
  const { apiKey, guestFrom, guestKey, rateLimit, userHeader } = config
  const [onDamage, onUse] = [reports.keysDamaged, counts.keyUsed]
  const { authenticate, named } = createKeyRing({ store: keyStore, apiKey, now, onDamage, onUse })
  const admit = createAdmission({
    authorize: requireScope,
    limiter: meter.limiter(limiter ?? createRateLimiter({ now: monotonic })),
    keylessLimiter: meter.limiter(limiter ?? createRateLimiter({ now: monotonic, maxBuckets: mostKeyless })),
    rate: rateLimit,
  })
  const guests = createGuests({
    ...{ named, now, admit },
    from: guestFrom,
    keyName: guestKey,
    onUse: (name) => onUse(name, now()),
  })
  const keyless = createKeyless({ origin, guests, admit, userHeader })
  return { guests, checks: { ...createKeyChecks({ authenticate, admit, keyless }), keyless } }
}

type NetcatParts = Pick<NetcatServerParts, 'guests' | 'origin' | 'log' | 'pastes'>

/** Listens for HTTP, and for netcat with `--netcat`. Both stop at once: each waits for what it is receiving. */
const openListeners = (config: Config, app: App, started: AsyncDisposableStack, parts: NetcatParts) => {
  const { host, port, maxPasteBytes, netcat: address } = config
  const server = listenForPages({ host, port }, () => listen(host, port, app.fetch, app.fastPath))
  let netcat: ReturnType<typeof serveNetcat>
  started.defer(async () => void (await Promise.all([server.stop(), netcat?.stop()])))
  const http = { hostname: server.hostname ?? host, port: server.port ?? port }
  netcat = serveNetcat({ ...parts, address, http, limits: netcatLimits, maxPasteBytes })
  return { ...http, netcat }
}

/** @throws {AppError} `unusable-folder` if their file is damaged: who has a key would be refused, and not know why */
const readKeys = (store: KeyStore) =>
  store.read().catch((error) => {
    // A database that is away: whether it has keys is not known, so none is made.
    if (error.kind === 'storage-unavailable') return []
    if (!isDamage(error)) throw error
    const remedy = 'put it back from a backup, or remove it and make new keys: shortcrust keys add NAME'
    throw unusableFolder(`${error.message}; ${remedy}`)
  })

/** Starts a server. @throws {AppError} `unusable-folder`, `unusable-address` */
export const startServer = async (parts: ServerParts): Promise<Server> => {
  const { config, ids, log, now, monotonic, spawnChild, program } = parts
  const reports = createReports(log)
  const place = await openStorage(parts, reports)
  const { storage, keyStore, space } = place
  /** The started parts, to be stopped in reverse order. */
  const started = new AsyncDisposableStack()
  started.defer(storage.close)
  try {
    const { counts, items } = openCountedItems(storage, now, reports, started)
    const facts = {
      isStorageGood: storage.health.isGood,
      memory: process.memoryUsage,
      held: () => heldByKind(items),
      free: async () => (await space())?.freeBytes,
    }
    const metrics = config.metrics && (await serveMetrics(config.metrics, facts, monotonic))
    if (metrics) started.defer(metrics.stop)
    const meter = metrics?.meter ?? noMeter
    const { apiKey, maxPasteBytes } = config
    const highlighter = openHighlighter(spawnChild, meter, reports)
    started.defer(highlighter.close)
    const origin = createOrigin(config)
    const senders = openSenders(parts, { ...place, meter, counts, reports, origin })
    const { around, requestLog } = createAccessLog({
      isLogged: config.accessLog,
      log,
      makeId: ids.requestId,
      origin,
      monotonic,
      count: metrics?.meter.request,
    })
    const stores = openStores(items, ids, meter, maxPasteBytes)
    const sweep = createSweep({ stores, counts, onFailure: reports.notSwept })
    started.defer(sweep.stop)
    const expiry = { defaultMs: config.defaultExpiryMs, maxMs: config.maxExpiryMs }
    const itemServices = createItemServices({
      stores,
      search: items.search,
      counts,
      lifetimeOf: createLifetimes(expiry),
      around: meter.items,
      ids,
      now,
      findLanguage,
      detectLanguage,
      maxBytes: maxPasteBytes,
      versions: { count: config.keepVersions, bytes: 4 * maxPasteBytes },
    })
    const app = createApp({
      ...itemServices,
      ...createAssets(config),
      stats: createStats({ index: items.index, space, now }),
      ...{ now, findLanguage },
      protocols: config.protocols,
      counts,
      ...senders.checks,
      origin,
      health: storage.health,
      isLocked: storage.isLocked,
      highlighter: meter.highlighter(highlighter),
      onPageLookup: meter.pageLookup,
      log: requestLog,
      maxPasteBytes,
      lifetimes: lifetimeChoices(expiry),
      changedLifetimes: changedLifetimes(expiry),
      servedAt: [config.publicUrl, config.baseUrl],
      around,
      pools: createPools(),
      makeToken: ids.deletionSecret,
      cacheBytes: cacheBytes.pages,
      program,
    })
    const hasNoKeys = (await readKeys(keyStore)) === undefined && !apiKey
    const { guests } = senders
    const listeners = openListeners(config, app, started, { ...itemServices, guests, origin, log })
    sweep.start()
    items.start()
    return {
      ...listeners,
      metrics,
      addFirstKey: async (show) =>
        hasNoKeys ? createKeys({ store: keyStore, ids, now }).addFirst(show) : undefined,
      guestKeyFault: guests.keyFault,
      stop: () => started.disposeAsync(),
      flushCounts: counts.flush,
    }
  } catch (error) {
    // The first error is the one that matters.
    await started.disposeAsync().catch(() => {})
    throw error
  }
}
