import { listen, listenBeside, type Place } from '../http/listen.ts'
import { createMeter, type Meter } from './meter.ts'
import type { Facts } from './registry.ts'
import { createMetricsFetch } from './route.ts'

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
  facts: Facts,
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
