import { unusableAddress } from '../errors.ts'
import { listen } from '../http/listen.ts'
import type { Config } from '../settings/config.ts'
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

type Address = NonNullable<Config['metrics']>

const listenAt = ({ host, port }: Address, fetch: (request: Request) => Promise<Response>) => {
  try {
    return listen(host, port, fetch)
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    const why = code === 'EADDRINUSE' ? 'it is in use' : message
    throw unusableAddress(
      `cannot serve metrics on ${host} port ${port}: ${why}; choose another with --metrics`,
    )
  }
}

/** Serves metrics on their own listener. @throws {AppError} `unusable-address` */
export const serveMetrics = async (
  address: Address,
  facts: Facts,
  monotonic: () => number,
): Promise<Metrics> => {
  // Loaded only here, so a server without metrics does not pay for the library.
  const { createRegistry } = await import('./registry.ts')
  const registry = createRegistry(facts)
  const listener = listenAt(address, createMetricsFetch(registry))
  return {
    meter: createMeter(registry, monotonic),
    hostname: listener.hostname ?? address.host,
    port: listener.port ?? address.port,
    stop: () => listener.stop(true),
  }
}
