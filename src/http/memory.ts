import { LRUCache } from 'lru-cache'
import { createCollector } from '../collector.ts'
import { overloaded } from '../errors.ts'
import type { Highlighting } from '../highlight/highlighter.ts'
import type { Lines } from '../highlight/lines.ts'
import { answer, answerHead, createFlights, type Prepared } from './answers.ts'
import { type Body, codedHeaders, codingOf, createBody, encoded } from './negotiate.ts'

/** People reach one server at a few addresses; each takes at most 0.4 MB. */
const maxAddresses = 8

/** Texts of 100 made-up addresses at once took 88 MB without it. */
const bytesPerCollection = 4 * 1024 ** 2

/**
 * Placeholders for the address of the request. Strangers choose the `Host`: 100 different ones at once rendered /docs 100
 * times, which delayed other requests by 1.7 s. IPv6 has its own, because shell commands quote it differently.
 */
const placeholders = { name: 'http://address.invalid', ipv6: 'http://[100::1]' }

type HeaderFields = Readonly<Record<string, string>>
type Make = (address: string) => string | Promise<string>
/** The text around the addresses, in UTF-8: to put an address into a string took four times the memory per stranger. */
type Template = readonly Uint8Array<ArrayBuffer>[]

const encoder = new TextEncoder()

/**
 * Serves a large text that differs only in the address of the request: it is made once and compressed once per address.
 * `HEAD` makes nothing. There is no entity tag, because the headers forbid caching.
 * @param headers of each response; `Vary` is added where they have none
 * @param make the text for an address (scheme and host)
 */
export const createKeptText = (headers: HeaderFields, make: Make) => {
  const kept = new LRUCache<string, Body>({ max: maxAddresses })
  const templates = new Map<string, Promise<Template>>()
  const { oneAtATime } = createFlights<Prepared>()
  const { made } = createCollector(bytesPerCollection)
  const varying = { Vary: 'Accept-Encoding', ...headers }

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
    made(text.size)
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

/** Overhead per chunk: a client may send a body in chunks of one byte. */
const chunkCost = 256

/** What one body takes of a pool. */
export type Share = {
  /** Counts bytes that are held from now on. @returns false where the pool has no room for them */
  take: (bytes: number) => boolean
  /** Gives back all that was taken. */
  release: () => void
}
export type Pool = { open: () => Share }

/** Bounds the bytes that are held for clients at a time: bodies on their way in, pages on their way out. */
export const createPool = (maxBytes: number): Pool => {
  let held = 0
  const { soon } = createCollector()
  return {
    open: () => {
      let own = 0
      return {
        take: (bytes) => {
          const cost = bytes + chunkCost
          const hasRoom = held + cost <= maxBytes
          if (!hasRoom) soon()
          else [held, own] = [held + cost, own + cost]
          return hasRoom
        },
        release: () => {
          held -= own
          own = 0
        },
      }
    },
  }
}

/** Everybody without a key shares one pool, and guests, who have one key, another: neither can take all memory. */
export type Pools = { keyless: Pool; keyed: Pool }
export const createPools = (): Pools => ({
  keyless: createPool(32 * 1024 ** 2),
  keyed: createPool(64 * 1024 ** 2),
})

/** A shorter page waits for its reader uncounted. */
const mostUncounted = 64 * 1024

/** Sent to a slow reader at a time. */
const chunkBytes = 256 * 1024

/**
 * Sends large bodies, which few readers share, to slow readers: one paste in 244 languages would take 2 GB. A body that
 * several readers share counts once.
 * @returns the answer, which gives its bytes back once they are sent or the reader is gone
 */
export const createLending = (pool: Pool) => {
  const lent = new Map<Blob, { share: Share; readers: number }>()

  const take = (body: Blob) => {
    const known = lent.get(body)
    if (known) return known.readers++ > 0
    const share = pool.open()
    if (!share.take(body.size)) return false
    lent.set(body, { share, readers: 1 })
    return true
  }

  const giveBack = (body: Blob) => {
    const known = lent.get(body)
    if (!known || --known.readers > 0) return
    lent.delete(body)
    known.share.release()
  }

  const streamOf = (body: Blob) => {
    let at = 0
    return new ReadableStream(
      {
        pull: async (controller) => {
          const chunk = await body.slice(at, at + chunkBytes).bytes()
          at += chunk.length
          if (chunk.length > 0) controller.enqueue(chunk)
          if (at < body.size) return
          giveBack(body)
          controller.close()
        },
        cancel: () => giveBack(body),
      },
      { highWaterMark: 0 },
    )
  }

  /** `undefined` while too many are being sent. */
  return ({ body, whole }: Prepared): Response | undefined => {
    const blob = body as Blob
    if (blob.size <= mostUncounted) return new Response(blob, whole)
    return take(blob) ? new Response(streamOf(blob), whole) : undefined
  }
}

export const tooManyLent = () => overloaded('Too many large pages are being sent. Try again in a moment.')

/** A failure is remembered, so it is not repeated on each read, but not for long: the machine may just have been busy. */
const failureKeepMs = 60_000
const mostFailures = 1000

/** Why there are no lines: not yet, or not at all. */
export type Missing = 'late' | 'failed'

/** Asks the highlighter once for each key, and remembers what failed or is not ready yet. */
export const createAttempts = () => {
  const failed = new LRUCache<string, true>({ max: mostFailures, ttl: failureKeepMs, ttlResolution: 0 })
  /** Work that goes on, whose readers got an answer without it, perhaps with early lines. */
  const late = new Map<string, Lines | undefined>()

  const keepLate = async (
    key: string,
    early: Lines | undefined,
    later: Promise<Highlighting>,
    keep: (lines: Lines) => Promise<unknown>,
  ) => {
    late.set(key, early)
    const { lines, isFailed } = await later
    if (isFailed) failed.set(key, true)
    // A patch that cannot be made throws. Its next reader gets the error.
    if (lines) await keep(lines).catch(() => {})
    late.delete(key)
  }

  /** @param keep is called with lines that come later */
  return async (
    key: string,
    highlight: () => Promise<Highlighting>,
    keep: (lines: Lines) => Promise<unknown>,
  ): Promise<Lines | Missing> => {
    if (failed.has(key)) return 'failed'
    if (late.has(key)) return late.get(key) ?? 'late'
    const { lines, isFailed, later } = await highlight()
    if (isFailed) failed.set(key, true)
    if (later) void keepLate(key, lines, later, keep)
    return lines ?? (isFailed ? 'failed' : 'late')
  }
}
