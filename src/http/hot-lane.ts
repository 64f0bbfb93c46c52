import { isKnownHost } from './edge/origin.ts'

/** The answer for an id, if everything it takes is in memory. */
export type HotAnswer = (id: string, request: Request) => Response | undefined

/**
 * Answers `GET`s whose answer lies in memory before the framework sees them: its router and its wrapper of a
 * handler take 4 µs, a third of what following a link takes in all. Whatever is not plainly here (another method,
 * host, spelling or query) is left to the routes, which do the same more thoroughly.
 * @param answers by the beginning of the path, longer ones first
 */
export const createHotLane = (answers: Readonly<Record<string, HotAnswer>>) => {
  const lanes = Object.entries(answers)
  return (request: Request): Response | undefined => {
    if (request.method !== 'GET' || !isKnownHost(request.headers.get('host'))) return undefined
    const { url } = request
    // The shortest host has one character: `http://a/`.
    const start = url.indexOf('/', 'http://a'.length) + 1
    for (const [path, answer] of lanes)
      if (url.startsWith(path, start)) return answer(url.slice(start + path.length), request)
    return undefined
  }
}
