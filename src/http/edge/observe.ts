import type { Fetch } from '../listen.ts'
import { pathOf, type RouteTable } from '../route-table.ts'

/** One answered request, without anything that says which item it was for. */
export type Seen = {
  method: string
  /** The template of the route, such as `/p/:id`; `none` where there is no route. */
  route: string
  status: number
  milliseconds: number
}

/** Clients may send any method; what is counted by it must have an end. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Tells of each request once its answer is there. @param monotonic milliseconds of a clock that never goes back */
export const observed =
  (
    inner: Fetch,
    routes: RouteTable,
    monotonic: () => number,
    observers: readonly ((seen: Seen) => void)[],
  ): Fetch =>
  async (request, server) => {
    const began = monotonic()
    const response = await inner(request, server)
    const milliseconds = monotonic() - began
    // Not before: a prefix has been taken off by now.
    const pathname = pathOf(request)
    const seen = {
      method: methods.has(request.method) ? request.method : 'other',
      route: routes.find(request.method, pathname) ?? routes.findAny(pathname) ?? 'none',
      status: response.status,
      milliseconds,
    }
    for (const observe of observers) observe(seen)
    return response
  }
