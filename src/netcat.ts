import { isUtf8 } from 'node:buffer'
import { forbidden, invalid, malformed, overloaded, tooLarge } from './errors.ts'
import { sizeText } from './format.ts'
import { decode } from './http/body.ts'
import { explain } from './http/errors.ts'
import { listenBeside } from './http/listen.ts'
import type { Origin } from './http/origin.ts'
import { isEverywhere, networkOf, peerAddressOf } from './ip-address.ts'
import type { Log } from './log.ts'
import type { Guests } from './services/keys.ts'
import type { Pastes } from './services/pastes.ts'
import type { Config } from './settings/config.ts'

const mebibyte = 1024 ** 2

/** Bounds of what senders may use. */
export const netcatLimits = {
  /** Texts that are received at once. */
  senders: 50,
  /** Of these, from one address (IPv6: one network). */
  sendersPerAddress: 10,
  /** Refused senders that still get their line. Further ones are cut off. */
  refused: 50,
  /** Memory for all texts together that are being received. */
  textBytes: 8 * mebibyte,
  /** A slow command may take so long until it prints something. */
  firstByteMs: 30_000,
  /** So much silence ends a text: most versions of netcat do not close their half. */
  silenceMs: 1000,
  wholeTextMs: 60_000,
  /**
   * A connection stays open for so long after its answer. Closing it while bytes arrive would reset it, and the sender
   * might lose the answer. Until then, so many bytes are read and dropped.
   */
  lingerMs: 1000,
  droppedBytes: mebibyte,
}

type NetcatLimits = typeof netcatLimits

const seconds = (milliseconds: number) => `${milliseconds / 1000} seconds`

const notText = () =>
  malformed('This is not UTF-8 text. Nothing was stored; convert it first, for example with iconv.')
const tooManyTexts = () => overloaded('Too many texts are being sent at once. Try again in a few seconds.')
const nothingSent = ({ firstByteMs }: NetcatLimits) =>
  invalid(`Nothing was sent for ${seconds(firstByteMs)}. Send a text: some-command | nc HOST PORT`)
const tooSlow = ({ wholeTextMs }: NetcatLimits) =>
  invalid(
    `The text took longer than ${seconds(wholeTextMs)}. Nothing was stored. Write it to a file, then send that.`,
  )

/** False for a first piece that no text begins with; its last character may be cut. */
const isTextSoFar = (bytes: Uint8Array) =>
  [0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, bytes.length - cut)))

const lineFeed = 0x0a

// Split in two, because a line may be as long as the largest paste.
const requestStart = /^(?:CONNECT |[a-z]{3,32} (?:\/|\*|https?:))/i
const requestEnd = / HTTP\/\d(\.\d)?\r?$/

/**
 * True for a text that begins as an HTTP request does. Any page on the web can make a browser send one here, with a body
 * that the page chose, so it must never become a paste.
 */
const isHttpRequest = (text: Buffer) => {
  const end = text.indexOf(lineFeed)
  const line = text.subarray(0, end < 0 ? text.length : end)
  return (
    requestStart.test(line.subarray(0, 65).toString('latin1')) &&
    requestEnd.test(line.subarray(-12).toString('latin1'))
  )
}

/** What a browser shows as a page with this line. */
const httpAnswer = (line: string) =>
  [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(line) + 1}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    `${line}\n`,
  ].join('\r\n')

/** A text as it arrives, in one growing block: in pieces of one byte it would else need an object for each. */
const createArrivingText = (maxBytes: number, memory: { left: number }) => {
  let [block, length, isFirstLineRead] = [Buffer.alloc(0), 0, false]
  const bytes = () => block.subarray(0, length)
  const makeRoom = (needed: number) => {
    const grown = Buffer.allocUnsafeSlow(Math.min(maxBytes, Math.max(4096, 2 * needed)))
    if (memory.left < grown.length - block.length) throw tooManyTexts()
    memory.left -= grown.length - block.length
    grown.set(bytes())
    block = grown
  }
  return {
    /** @throws {AppError} `malformed`, `too-large`; `overloaded` when all texts together take too much memory */
    add: (piece: Uint8Array) => {
      if (length === 0 && !isTextSoFar(piece)) throw notText()
      const needed = length + piece.length
      if (needed > maxBytes)
        throw tooLarge(
          `The text is larger than ${sizeText(maxBytes)}, the limit of this server. Nothing was stored.`,
        )
      if (needed > block.length) makeRoom(needed)
      block.set(piece, length)
      length = needed
    },
    bytes,
    /** True once for a request of HTTP: as soon as its first line has arrived, or at the end of the text. */
    isHttp: (isEnd: boolean, piece?: Uint8Array) => {
      if (isFirstLineRead || !(isEnd || piece?.includes(lineFeed))) return false
      isFirstLineRead = true
      return isHttpRequest(bytes())
    },
    release: () => {
      memory.left += block.length
      block = Buffer.alloc(0)
      length = 0
    },
  }
}

type Wire = Pick<Bun.Socket, 'write' | 'shutdown' | 'pause' | 'end'>

/** Answers a connection and closes it, so that the answer arrives. */
const createAnswering = (wire: Wire, { lingerMs, droppedBytes }: NetcatLimits) => {
  let [isAnswered, isHalfClosed, isClosed, dropped] = [false, false, false, 0]
  let linger: ReturnType<typeof setTimeout> | undefined
  return {
    answer: (reply: string) => {
      if (isClosed) return
      isAnswered = true
      // The system takes a line at once, also for a reader that does not read.
      wire.write(reply)
      if (isHalfClosed) return void wire.end()
      wire.shutdown()
      linger = setTimeout(() => wire.end(), lingerMs)
    },
    /** Bytes that nobody wants: read so that the sender goes on to read the answer, up to a limit. */
    drop: (bytes: number) => {
      dropped += bytes
      if (dropped > droppedBytes) wire.pause()
    },
    /** The other side has closed its half. */
    otherEnded: () => {
      isHalfClosed = true
      if (isAnswered) wire.end()
    },
    closed: () => {
      isClosed = true
      clearTimeout(linger)
    },
  }
}

export type NetcatExchangeParts = {
  wire: Wire
  limits: NetcatLimits
  maxBytes: number
  /** Bytes that all texts together may still take. */
  memory: { left: number }
  /** @returns the address of the new page */
  store: (text: Uint8Array) => Promise<string>
  /** The sender's one line for an error. */
  explainError: (error: unknown) => string
  /** The line for a browser. */
  httpLine: () => string
}

/** One connection: receives one text, and answers it once. */
export const createNetcatExchange = (parts: NetcatExchangeParts) => {
  const { wire, limits, store, explainError, httpLine } = parts
  const text = createArrivingText(parts.maxBytes, parts.memory)
  const { answer, drop, otherEnded, closed } = createAnswering(wire, limits)
  let state: 'silent' | 'sending' | 'done' = 'silent'
  let silence = setTimeout(() => refuse(nothingSent(limits)), limits.firstByteMs)
  let deadline: ReturnType<typeof setTimeout> | undefined

  /** @returns false if it was done before */
  const finish = () => {
    if (state === 'done') return false
    state = 'done'
    clearTimeout(silence)
    clearTimeout(deadline)
    return true
  }
  const reply = (line: string) => {
    text.release()
    answer(line)
  }
  const refuse = (error: unknown) => {
    if (finish()) reply(`${explainError(error)}\n`)
  }
  const refuseHttp = () => {
    if (finish()) reply(httpAnswer(httpLine()))
  }
  const take = async () => {
    if (text.isHttp(true)) return refuseHttp()
    if (finish()) reply(`${await store(text.bytes()).catch(explainError)}\n`)
  }

  return {
    data: (bytes: Uint8Array) => {
      if (state === 'done') return drop(bytes.length)
      if (state === 'silent') deadline = setTimeout(() => refuse(tooSlow(limits)), limits.wholeTextMs)
      state = 'sending'
      clearTimeout(silence)
      silence = setTimeout(take, limits.silenceMs)
      try {
        text.add(bytes)
        if (text.isHttp(false, bytes)) refuseHttp()
      } catch (error) {
        refuse(error)
      }
    },
    /** The sender has closed its half. */
    end: () => {
      otherEnded()
      if (state === 'silent') refuse(invalid('The text is empty. Nothing was stored.'))
      else take()
    },
    /** The connection is gone: a text that was not complete is forgotten. */
    closed: () => {
      closed()
      if (finish()) text.release()
    },
    refuse,
    isSilent: () => state === 'silent',
  }
}

export type NetcatServerParts = {
  /** `undefined` where nothing is taken by netcat. */
  address: Config['netcat']
  /** Where the pages are. */
  http: { hostname: string; port: number }
  guests: Pick<Guests, 'admit' | 'holderAt' | 'isGuest'>
  pastes: Pick<Pastes, 'create'>
  origin: Pick<Origin, 'addressesAt'>
  log: Log
  limits: NetcatLimits
  maxPasteBytes: number
}

/** Where a sender is, and where it connected to. */
type NetcatPeer = { client: string; localHost: string }

/** Counts the senders, in all and for each network. @returns a function that throws or returns what gives the place back */
const createPlaces = ({ senders, sendersPerAddress }: NetcatLimits) => {
  let taken = 0
  const byNetwork = new Map<string, number>()
  return (address: string) => {
    const network = networkOf(address)
    const own = byNetwork.get(network) ?? 0
    if (own >= sendersPerAddress)
      throw overloaded(`${address} is already sending ${own} texts. Wait until one of them is done.`)
    if (taken >= senders) throw tooManyTexts()
    taken++
    byNetwork.set(network, own + 1)
    return () => {
      taken--
      const left = (byNetwork.get(network) ?? 1) - 1
      if (left > 0) byNetwork.set(network, left)
      else byNetwork.delete(network)
    }
  }
}

/** The address of a server without its default port. */
const urlOf = (host: string, port: number) =>
  new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`).origin

const createReception = (parts: NetcatServerParts) => {
  const { http, guests, pastes, origin, log, limits, maxPasteBytes } = parts
  const enter = createPlaces(limits)
  // The largest pastes fit, and more than one.
  const memory = { left: Math.max(limits.textBytes, 3 * maxPasteBytes) }
  let refused = 0

  /** A text names no host, as a request of HTTP does: the page is where the text went. */
  const addressesFor = ({ localHost }: NetcatPeer) =>
    origin.addressesAt(urlOf(isEverywhere(http.hostname) ? localHost : http.hostname, http.port))
  const noGuest = (client: string) =>
    forbidden(`${client} may not create without a key here. Send the text with curl and an API key.`)

  const store = async (bytes: Uint8Array, peer: NetcatPeer) => {
    const { client } = peer
    const guest = await guests.admit(client, 'paste')
    if (!guest) throw noGuest(client)
    if (!isUtf8(bytes)) throw notText()
    // Keeps a byte order mark, as uploads do.
    const body = { text: decode(bytes, true), title: '', description: '', language: 'auto' }
    const { item, name } = await pastes.create(body, guest.name)
    log('info', 'paste created', { id: item.id, owner: guest.name, client })
    return addressesFor(peer).paste(name)
  }

  /** `undefined` for a connection that gets no line either. */
  return (wire: Wire, peer: NetcatPeer) => {
    const { client } = peer
    const receive = (leave: () => void) => ({
      ...createNetcatExchange({
        ...{ wire, limits, maxBytes: maxPasteBytes, memory },
        store: (text) => store(text, peer),
        explainError: (error) => explain(error, log).message,
        httpLine: () =>
          `This port takes text from netcat, not HTTP. The pages are at ${addressesFor(peer).publicUrl}`,
      }),
      leave,
    })
    try {
      if (!guests.isGuest(client)) throw noGuest(client)
      const exchange = receive(enter(client))
      // A sender who cannot create learns it before sending anything.
      guests.holderAt(client).catch(exchange.refuse)
      return exchange
    } catch (error) {
      if (refused >= limits.refused) return undefined
      refused++
      const exchange = receive(() => refused--)
      exchange.refuse(error)
      return exchange
    }
  }
}

const peerOf = ({ remoteAddress, localAddress }: Bun.Socket<unknown>): NetcatPeer | undefined => {
  const [client, localHost] = [remoteAddress, localAddress].map((text) => peerAddressOf(text ?? ''))
  return client === undefined || localHost === undefined ? undefined : { client, localHost }
}

/** Takes pastes by bare TCP. @throws {AppError} `unusable-address` */
export const serveNetcat = (parts: NetcatServerParts) => {
  const { address } = parts
  if (!address) return undefined
  const receive = createReception(parts)
  const open = new Set<NonNullable<ReturnType<typeof receive>>>()
  let onEmpty = () => {}

  const listen = () =>
    Bun.listen<ReturnType<typeof receive>>({
      hostname: address.host,
      port: address.port,
      // Most senders close their half and wait for the answer.
      allowHalfOpen: true,
      exclusive: true,
      socket: {
        open: (socket) => {
          const peer = peerOf(socket)
          socket.data = peer && receive(socket, peer)
          if (socket.data) open.add(socket.data)
          else socket.terminate()
        },
        data: ({ data: exchange }, bytes) => exchange?.data(bytes),
        end: ({ data: exchange }) => exchange?.end(),
        close: ({ data: exchange }) => {
          if (!exchange || !open.delete(exchange)) return
          exchange.closed()
          exchange.leave()
          if (open.size === 0) onEmpty()
        },
        // A connection that was reset is closed as well.
        error: () => {},
      },
    })

  const listener = listenBeside(address, 'listen for netcat', '--netcat', listen)
  return {
    hostname: listener.hostname,
    port: listener.port,
    /** Stops accepting, and resolves once the texts that are being sent are answered. */
    stop: async () => {
      listener.stop()
      for (const { isSilent, refuse } of open)
        if (isSilent()) refuse(overloaded('The server is stopping. Try again in a moment.'))
      if (open.size > 0)
        await new Promise<void>((resolve) => {
          onEmpty = resolve
        })
    },
  }
}
