import { AppError } from '../errors.ts'
import { resource } from './resource.ts'
import { json } from './respond.ts'

export type HealthRoutesParts = { health: { isGood: () => boolean } }

/** `GET /healthz`: alive. `GET /readyz`: the last write reached the disk. */
export const healthRoutes = ({ health }: HealthRoutesParts) =>
  resource('/healthz', { get: () => json({ success: true, message: 'Alive' }) }).use(
    resource('/readyz', {
      get: () => {
        if (!health.isGood()) throw new AppError('storage-unavailable', 'The last write failed')
        return json({ success: true, message: 'Ready' })
      },
    }),
  )
