import { LRUCache } from 'lru-cache'

/** Clients differ in a handful of headers. */
const mostTexts = 100

/**
 * What a header says, judged once for each text of it: judging takes 1 µs, finding a judgement 0.04 (the cache's own
 * `memo` 0.1).
 */
export const memoize = <T extends {}>(judge: (text: string) => T) => {
  const known = new LRUCache<string, T>({ max: mostTexts })
  return (text: string): T => {
    const found = known.get(text)
    if (found !== undefined) return found
    const judged = judge(text)
    known.set(text, judged)
    return judged
  }
}

/** No client sends a longer header; a stranger's may have 16 KB. */
const judgedChars = 1000

const weight = /^\s*q\s*=\s*([01](?:\.\d*)?)\s*$/i

const weightOf = (parameters: readonly string[]) => {
  const written = parameters
    .map((parameter) => weight.exec(parameter)?.[1])
    .find((found) => found !== undefined)
  return written === undefined ? 1 : Math.min(1, Number(written))
}

/**
 * What a header such as `Accept` names, in lower case, and how much the client wants it: from 0, which refuses it, to 1
 * (RFC 9110, 12.4.2).
 */
export const qualitiesOf = (header: string): ReadonlyMap<string, number> => {
  const items = header.slice(0, judgedChars).split(',')
  // The last one may have lost its weight.
  if (header.length > judgedChars) items.pop()
  const entries = items.map((item) => {
    const [name = '', ...parameters] = item.split(';')
    return [name.trim().toLowerCase(), weightOf(parameters)] as const
  })
  return new Map(entries)
}

/** The one that is wanted most, of those that are named and not refused; the first of several. */
export const mostWanted = <T extends string>(
  names: readonly T[],
  qualities: ReadonlyMap<string, number>,
): T | undefined => {
  let best: T | undefined
  let bestQuality = 0
  for (const name of names) {
    const quality = qualities.get(name) ?? 0
    if (quality <= bestQuality) continue
    best = name
    bestQuality = quality
  }
  return best
}

const asksForPages = memoize((accept) => (qualitiesOf(accept).get('text/html') ?? 0) > 0)

/** True for a client that asks for pages by name. */
export const isBrowser = ({ headers }: Request) => asksForPages(headers.get('accept') ?? '')

const forms = { 'text/html': 'page', 'application/json': 'json', 'text/plain': 'raw' } as const
const types = ['text/html', 'application/json', 'text/plain'] as const

/** Who names none of them gets the page; who refuses pages, the next. */
const formAsked = memoize((accept) => {
  const qualities = qualitiesOf(accept)
  const wanted = mostWanted(types, qualities) ?? types.find((type) => qualities.get(type) !== 0)
  return forms[wanted ?? 'text/plain']
})

/** Which form of a paste a client wants: what it names, of equals the page before JSON before the raw text. */
export const preferredForm = ({ headers }: Request): 'page' | 'json' | 'raw' =>
  formAsked(headers.get('accept') ?? '')

export type Coding = 'zstd' | 'gzip' | 'identity'

/** The best of what a client names; of equals the shorter. Who refuses even that gets it as it is. */
const codingAsked = memoize(
  (accept): Coding => mostWanted(['zstd', 'gzip', 'identity'], qualitiesOf(accept)) ?? 'identity',
)

/** The coding that suits a request. */
export const codingOf = ({ headers }: Request) => codingAsked(headers.get('accept-encoding') ?? '')
