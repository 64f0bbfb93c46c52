import { json } from '../http/answers/respond.ts'
import { pathOf } from '../http/route-list.ts'

export type MetricsParts = { text: () => Promise<string>; contentType: string }

/** Handles requests to the metrics listener: only `GET /metrics`. */
export const createMetricsFetch =
  ({ text, contentType }: MetricsParts) =>
  async (request: Request): Promise<Response> => {
    if (pathOf(request) !== '/metrics')
      return json({ success: false, error: 'There is nothing at this address; metrics are at /metrics' }, 404)
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const error = 'Method not allowed. Allowed here: GET, HEAD'
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
