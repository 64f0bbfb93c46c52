import { LRUCache } from 'lru-cache'
import { type Body, codedHeaders, codingOf, createBody, encoded } from './negotiate.ts'
import { answer, answerHead, createFlights, type Prepared } from './prepared.ts'

/** Under how many addresses people reach one server; each takes 0.4 MB at most. */
const maxAddresses = 8

/**
 * Stand in a text for the address of a request. A `Host` is a stranger's, and 100 of them at once made /docs 100 times,
 * which held up others for 1.7 s. An IPv6 address is quoted otherwise in the commands of a shell.
 */
const placeholders = { name: 'http://address.invalid', ipv6: 'http://[100::1]' }

type Headers = Readonly<Record<string, string>>
type Make = (address: string) => string | Promise<string>

/**
 * Answers a large text that is the same for everybody but for the address of the request: made once, compressed once for
 * each address. `HEAD` makes nothing. No entity tag, for the headers forbid to keep it.
 * @param headers of each answer; `Vary` is added
 * @param make the text at an address, which is a scheme and a host
 */
export const createKeptText = (headers: Headers, make: Make) => {
  const kept = new LRUCache<string, Body>({ max: maxAddresses })
  const templates = new Map<string, Promise<string>>()
  const { oneAtATime } = createFlights<Prepared>()
  const varying = { ...headers, Vary: 'Accept-Encoding' }

  const templateAt = (placeholder: string) => {
    const known = templates.get(placeholder)
    if (known) return known
    const made = Promise.resolve(make(placeholder))
    templates.set(placeholder, made)
    made.catch(() => templates.delete(placeholder))
    return made
  }

  const bodyAt = async (address: string) => {
    const placeholder = placeholders[address.includes('[') ? 'ipv6' : 'name']
    const text = (await templateAt(placeholder)).replaceAll(placeholder, address)
    const body = createBody(text, varying, undefined)
    kept.set(address, body)
    return body
  }

  /** @param address that the request came to */
  return async (request: Request, address: string): Promise<Response> => {
    const known = kept.get(address)
    if (known) return answer(request, await encoded(request, known))
    if (request.method === 'HEAD') return answerHead(codedHeaders(varying, codingOf(request)))
    const make = async () => encoded(request, kept.get(address) ?? (await bodyAt(address)))
    // Compressed 100 at once, for as many made-up hosts, they took 130 MB.
    return answer(request, await oneAtATime(make))
  }
}
