import { AppError } from '../../errors.ts'
import { json } from '../../http/answers/respond.ts'
import type { Done } from '../../items/answers.ts'

export type HealthParts = { health: { isGood: () => boolean }; isLocked: () => boolean }

const well = (message: string) => () => json({ success: true, message } satisfies Done)

/** `GET /healthz` */
export const isAlive = well('Alive')

/** `GET /readyz`: this process holds the lock of the folder, and the last write reached the disk. */
export const createReadiness = ({ health, isLocked }: HealthParts) => {
  const ready = well('Ready')
  return () => {
    if (!isLocked())
      throw new AppError('storage-unavailable', 'The lock of the data folder is gone: restart this server')
    if (!health.isGood()) throw new AppError('storage-unavailable', 'The last write failed')
    return ready()
  }
}
