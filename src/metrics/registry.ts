import { Counter, Gauge, Histogram, Registry as PromRegistry } from 'prom-client'

/** The sources of the gauges, read at each scrape. */
export type MetricFacts = {
  isStorageGood: () => boolean
  memory: () => { rss: number; heapUsed: number }
  /** Items and bytes of each kind; `undefined` while they are being counted. */
  held: () => Promise<Readonly<Record<string, { items: number; bytes: number }>> | undefined>
  /** Free bytes of the disk; `undefined` if the system does not say. */
  free: () => Promise<number | undefined>
}

const itemKinds = ['paste', 'link']

export type Registry = ReturnType<typeof createRegistry>

// From answers out of memory to those that wait for the disk or the highlighter.
const requestBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
const highlightBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2]

/** Adds the gauges of what is stored. */
const addStored = (registry: PromRegistry, { held, free }: MetricFacts) => {
  const registers = [registry]
  const ofKind = (name: string, help: string, fact: 'items' | 'bytes') =>
    new Gauge({
      ...{ name: `shortcrust_${name}`, help, labelNames: ['kind'] as const, registers },
      async collect() {
        const found = await held()
        this.reset()
        if (found) for (const kind of itemKinds) this.set({ kind }, found[kind]?.[fact] ?? 0)
      },
    })
  ofKind('items', 'Items that there are; nothing while the index is being built', 'items')
  ofKind('items_bytes', 'Size of their texts and addresses, of the newest versions alone', 'bytes')
  new Gauge({
    ...{ name: 'shortcrust_disk_free_bytes', help: 'Bytes that the server can still write', registers },
    async collect() {
      const bytes = await free()
      if (bytes === undefined) this.remove()
      else this.set(bytes)
    },
  })
}

/** Creates every metric. No label contains an id, or text that a client can choose. */
export const createRegistry = (facts: MetricFacts) => {
  const { isStorageGood, memory } = facts
  const registry = new PromRegistry()
  const registers = [registry]
  const counter = <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name: `shortcrust_${name}`, help, labelNames, registers })
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })

  gauge('shortcrust_storage_good', '1 while the last write reached the disk, else 0', () =>
    Number(isStorageGood()),
  )
  gauge(
    'process_resident_memory_bytes',
    'Memory of the server, without its highlighting process',
    () => memory().rss,
  )
  gauge('shortcrust_heap_bytes', 'Memory that its objects take', () => memory().heapUsed)

  addStored(registry, facts)

  const created = counter('items_created_total', 'Items created', ['kind'])
  const deleted = counter('items_deleted_total', 'Items deleted', ['kind'])
  // Starts at 0, so the first item counts as an increase.
  for (const kind of itemKinds) for (const one of [created, deleted]) one.inc({ kind }, 0)

  return {
    created,
    deleted,
    requests: counter('requests_total', 'Requests answered', ['method', 'route', 'status']),
    requestSeconds: new Histogram({
      name: 'shortcrust_request_duration_seconds',
      help: 'Time until the answer was there',
      labelNames: ['route'],
      buckets: requestBuckets,
      registers,
    }),
    cacheLookups: counter('cache_lookups_total', 'Items and pages found in memory, or not', [
      'cache',
      'result',
    ]),
    highlightSeconds: new Histogram({
      name: 'shortcrust_highlight_duration_seconds',
      help: 'Time that a page waited for its highlighting',
      buckets: highlightBuckets,
      registers,
    }),
    highlightFailures: counter(
      'highlight_failures_total',
      'Pages shown plain because highlighting failed or took too long',
    ),
    refusals: counter('rate_limit_refusals_total', 'Requests refused by the rate limit'),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
