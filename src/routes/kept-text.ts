import { LRUCache } from 'lru-cache'
import { type Body, codedHeaders, codingOf, createBody, encoded } from './encoding.ts'
import { answer, answerHead } from './prepared.ts'

/** Under how many names people reach one server; each takes 0.4 MB at most. */
const maxKeys = 8

/** A `Host` is a stranger's: what is asked for under a longer name is made each time. */
const maxKeyChars = 300

type Headers = Readonly<Record<string, string>>
type Make = () => string | Promise<string>

/**
 * Answers a large text that is the same for everybody who uses the same addresses: made and compressed once for each.
 * `HEAD` makes nothing. No entity tag, for the headers forbid to keep it.
 * @param headers of each answer; `Vary` is added
 */
export const createKeptText = (headers: Headers) => {
  const kept = new LRUCache<string, Body>({ max: maxKeys })
  const varying = { ...headers, Vary: 'Accept-Encoding' }

  const bodyOf = async (key: string, make: Make) => {
    const body = createBody(await make(), varying, undefined)
    if (key.length <= maxKeyChars) kept.set(key, body)
    return body
  }

  /** @param key all that the text depends on */
  return async (request: Request, key: string, make: Make): Promise<Response> => {
    const known = kept.get(key)
    if (!known && request.method === 'HEAD') return answerHead(codedHeaders(varying, codingOf(request)))
    return answer(request, await encoded(request, known ?? (await bodyOf(key, make))))
  }
}
