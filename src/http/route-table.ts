/** A route as Elysia lists it: a method, or `ALL` for what answers every other one with 405. */
export type Route = { method: string; path: string }

export type RouteTable = {
  /** The route that answers this method here, by its template (`/p/:id`). */
  find: (method: string, pathname: string) => string | undefined
  /** The route here, whatever the method. */
  findAny: (pathname: string) => string | undefined
}

/** The path of a request; Bun takes requests whose address cannot be parsed. */
export const pathOf = (request: Request) => URL.parse(request.url)?.pathname ?? '/'

const segmentsOf = (pathname: string) => pathname.split('/').slice(1)

const isParameter = (segment: string) => segment.startsWith(':')

const isMatch = (template: readonly string[], segments: readonly string[]) =>
  template.length === segments.length &&
  template.every((part, at) => (isParameter(part) ? segments[at] !== '' : part === segments[at]))

/** Elysia takes `/paste/` for `/paste`. */
const withoutLastSlash = (pathname: string) => (/[^/]\/$/.test(pathname) ? pathname.slice(0, -1) : pathname)

/** Which route a request is for, asked before or after it is answered. Knows nothing of the route of all other paths. */
export const createRouteTable = (routes: readonly Route[]): RouteTable => {
  const templates = new Map<string, Set<string>>()
  for (const { method, path } of routes) {
    if (path.includes('*')) continue
    templates.set(path, (templates.get(path) ?? new Set()).add(method))
  }
  const entries = [...templates]
    .map(([path, methods]) => ({ path, methods, segments: segmentsOf(path) }))
    .sort((a, b) => a.segments.filter(isParameter).length - b.segments.filter(isParameter).length)

  const entriesAt = (pathname: string) => {
    const segments = segmentsOf(withoutLastSlash(pathname))
    return entries.filter((entry) => isMatch(entry.segments, segments))
  }

  return {
    find: (method, pathname) => {
      const name = method === 'HEAD' ? 'GET' : method
      const [first, ...others] = entriesAt(pathname)
      const explicit = [first, ...others].find((entry) => entry?.methods.has(name))
      // A route with nothing but `ALL` looks at the method itself.
      return (explicit ?? (first?.methods.size === 1 && first.methods.has('ALL') ? first : undefined))?.path
    },
    findAny: (pathname) => entriesAt(pathname)[0]?.path,
  }
}
