import { LRUCache } from 'lru-cache'
import { createCounter } from '../../collector.ts'
import { type Body, codedHeaders, codingOf, createBody, encoded } from './negotiate.ts'
import { answer, answerHead, createFlights, type Prepared } from './prepared.ts'

/** People reach one server at a few addresses; each takes at most 0.4 MB. */
const maxAddresses = 8

/** Texts of 100 made-up addresses at once took 88 MB without it. */
const bytesPerCollection = 4 * 1024 ** 2

/**
 * Placeholders for the address of the request. Strangers choose the `Host`: 100 different ones at once rendered /docs 100
 * times, which delayed other requests by 1.7 s. IPv6 has its own, because shell commands quote it differently.
 */
const placeholders = { name: 'http://address.invalid', ipv6: 'http://[100::1]' }

type Headers = Readonly<Record<string, string>>
type Make = (address: string) => string | Promise<string>
/** The text around the addresses, in UTF-8: to put an address into a string took four times the memory per stranger. */
type Template = readonly Uint8Array<ArrayBuffer>[]

const encoder = new TextEncoder()

/**
 * Serves a large text that differs only in the address of the request: it is made once and compressed once per address.
 * `HEAD` makes nothing. There is no entity tag, because the headers forbid caching.
 * @param headers of each response; `Vary` is added
 * @param make the text for an address (scheme and host)
 */
export const createKeptText = (headers: Headers, make: Make) => {
  const kept = new LRUCache<string, Body>({ max: maxAddresses })
  const templates = new Map<string, Promise<Template>>()
  const { oneAtATime } = createFlights<Prepared>()
  const collect = createCounter(bytesPerCollection)
  const varying = { ...headers, Vary: 'Accept-Encoding' }

  const templateAt = (placeholder: string) => {
    const known = templates.get(placeholder)
    if (known) return known
    const made = Promise.resolve(make(placeholder)).then((text) =>
      text.split(placeholder).map((part) => encoder.encode(part)),
    )
    templates.set(placeholder, made)
    made.catch(() => templates.delete(placeholder))
    return made
  }

  const bodyAt = async (address: string) => {
    const placeholder = placeholders[address.includes('[') ? 'ipv6' : 'name']
    const parts = await templateAt(placeholder)
    const text = new Blob(parts.flatMap((part, at) => (at === 0 ? [part] : [address, part])))
    const body = createBody(text, varying, undefined)
    kept.set(address, body)
    collect(text.size)
    return body
  }

  /** @param address scheme and host of the request */
  return async (request: Request, address: string): Promise<Response> => {
    const known = kept.get(address)
    if (known) return answer(request, await encoded(request, known))
    if (request.method === 'HEAD') return answerHead(codedHeaders(varying, codingOf(request)))
    const make = async () => encoded(request, kept.get(address) ?? (await bodyAt(address)))
    // Compressing for 100 made-up hosts at the same time took 130 MB.
    return answer(request, await oneAtATime(make))
  }
}
