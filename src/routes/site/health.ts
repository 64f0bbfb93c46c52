import { AppError } from '../../errors.ts'
import { json } from '../../http/answers/respond.ts'
import { resource } from '../../http/resource.ts'
import type { Done } from '../../items/schema.ts'

export type HealthRoutesParts = { health: { isGood: () => boolean }; isLocked: () => boolean }

/** `GET /healthz`: alive. `GET /readyz`: the folder is ours alone, and the last write reached the disk. */
export const healthRoutes = ({ health, isLocked }: HealthRoutesParts) =>
  resource('/healthz', { get: () => json({ success: true, message: 'Alive' } satisfies Done) }).use(
    resource('/readyz', {
      get: () => {
        if (!isLocked())
          throw new AppError(
            'storage-unavailable',
            'The lock of the data folder is gone: restart this server',
          )
        if (!health.isGood()) throw new AppError('storage-unavailable', 'The last write failed')
        return json({ success: true, message: 'Ready' } satisfies Done)
      },
    }),
  )
