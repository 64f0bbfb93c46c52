import { AppError } from '../../errors.ts'
import { json } from '../../http/answers.ts'
import type { Origin } from '../../http/origin.ts'
import type { RequestContext } from '../../http/routes.ts'
import type { Done, Ready } from '../../items/answers.ts'

export type HealthParts = {
  health: { isGood: () => boolean }
  isLocked: () => boolean
  origin: Pick<Origin, 'proxyFault'>
}

/** `GET /healthz` */
export const isAlive = () => json({ success: true, message: 'Alive' } satisfies Done)

/** `GET /readyz`: this process holds the lock of the folder, and the last write reached the disk. Says how a proxy hides who asks. */
export const createReadiness = ({ health, isLocked, origin }: HealthParts) => {
  return ({ request, server }: RequestContext) => {
    if (!isLocked())
      throw new AppError('storage-unavailable', 'The lock of the data folder is gone: restart this server')
    if (!health.isGood()) throw new AppError('storage-unavailable', 'The last write failed')
    const proxy = origin.proxyFault({ request, server })
    return json({ success: true, message: 'Ready', ...(proxy && { proxy }) } satisfies Ready)
  }
}
