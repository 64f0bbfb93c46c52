import { json } from '../../http/answers.ts'
import type { KeyedContext } from '../../http/routes.ts'
import type { Stats } from '../../services/stats.ts'

/** `GET /stats`, for an admin key. Takes no token, as every read. */
export const createStatsRoute =
  (stats: Stats) =>
  async ({ holder }: KeyedContext) =>
    json({ success: true, ...(await stats.read(holder)) })
