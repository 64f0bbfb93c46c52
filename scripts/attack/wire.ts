import { connect } from 'node:net'
import { testKey } from '../../test/support/process.ts'

export type Ask = {
  method?: string
  path?: string
  headers?: readonly string[]
  body?: Uint8Array | string
  /** Bytes at the end that are announced but never sent. */
  withheldBytes?: number
}

export type Answer = {
  /** `silent`: nothing within a minute. */
  status: number | 'cut off' | 'silent'
  head: string
  /** Length of the body. */
  bytes: number
  /** The beginning of the body. */
  text: string
}

/** What a creation by JSON sends beside its body. */
export const jsonHeaders = ['Content-Type: application/json', `key: ${testKey}`]

const mostKeptBytes = 256 * 1024
const longestSilenceMs = 60_000
/** Written at once; what waits for the server is then not copied as a whole. */
const pieceBytes = 256 * 1024

/** The head of a request, up to the empty line. */
export const headOf = ({ method = 'GET', path = '/', headers = [], body = '' }: Ask) => {
  const isHosted = headers.some((line) => line.startsWith('Host:'))
  const hasLength = method !== 'GET' && method !== 'HEAD' ? true : body.length > 0
  const isChunked = headers.some((line) => line.startsWith('Transfer-Encoding:'))
  return [
    `${method} ${path} HTTP/1.1`,
    ...(isHosted ? [] : ['Host: 127.0.0.1']),
    ...headers,
    ...(hasLength && !isChunked ? [`Content-Length: ${Buffer.byteLength(body)}`] : []),
    '\r\n',
  ].join('\r\n')
}

/** No copy of what is bytes already: a hundred senders share one body. */
const bytesOf = (data: Uint8Array | string) => (typeof data === 'string' ? Buffer.from(data) : data)

const lengthIn = (head: string) => Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? Number.NaN)

/** Finds the end of an answer that comes in pieces. */
const createReader = (isBodiless: boolean) => {
  let head = ''
  let pending = Buffer.alloc(0)
  let bytes = 0
  let text = ''
  let tail = ''
  const takeBody = (chunk: Buffer) => {
    bytes += chunk.length
    if (text.length < mostKeptBytes) text += chunk.toString('latin1')
    tail = (tail + chunk.subarray(-5).toString('latin1')).slice(-5)
  }
  const isWhole = () => {
    if (head === '') return false
    if (isBodiless || /^HTTP\/1\.1 (100|204|304)/.test(head)) return true
    const length = lengthIn(head)
    return Number.isNaN(length) ? tail === '0\r\n\r\n' : bytes >= length
  }
  return {
    add: (chunk: Buffer) => {
      if (head !== '') takeBody(chunk)
      else {
        pending = Buffer.concat([pending, chunk])
        const at = pending.indexOf('\r\n\r\n')
        if (at < 0) return false
        head = pending.subarray(0, at).toString('latin1')
        takeBody(pending.subarray(at + 4))
      }
      return isWhole()
    },
    /** @param otherwise where no whole head came */
    answer: (otherwise: 'cut off' | 'silent'): Answer => {
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1])
      return { status: Number.isNaN(status) ? otherwise : status, head, bytes, text }
    },
  }
}

/** A bare connection: nothing is sent or read but what is asked for. @param from the address that it comes from */
export const openWire = async (url: string, from?: string) => {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, ...(from && { localAddress: from }) })
  const opened = Promise.withResolvers<void>()
  let isOpen = true
  let wake = () => {}
  let onData = (_: Buffer) => {}
  let onClose = () => {}
  socket.on('connect', opened.resolve)
  socket.on('data', (chunk: Buffer) => onData(chunk))
  socket.on('drain', () => wake())
  // An error is followed by `close`: a sender that waits for an answer sees it.
  socket.on('error', () => {})
  socket.on('close', () => {
    isOpen = false
    opened.resolve()
    wake()
    onClose()
  })
  await opened.promise

  const write = async (data: Uint8Array | string, isEnough = () => false) => {
    const bytes = bytesOf(data)
    for (let at = 0; at < bytes.length && isOpen && !isEnough(); at += pieceBytes)
      if (!socket.write(bytes.subarray(at, at + pieceBytes)))
        await new Promise<void>((resolve) => {
          wake = resolve
        })
  }

  /** The next answer. */
  const answer = (isBodiless = false) =>
    new Promise<Answer>((resolve) => {
      const reader = createReader(isBodiless)
      const end = (otherwise: 'cut off' | 'silent') => {
        clearTimeout(timer)
        onData = () => {}
        // What is still to be written has nobody who waits for it.
        wake()
        resolve(reader.answer(otherwise))
      }
      const timer = setTimeout(() => end('silent'), longestSilenceMs)
      onClose = () => end('cut off')
      if (!isOpen) return end('cut off')
      onData = (chunk) => {
        if (reader.add(chunk)) end('cut off')
      }
    })

  /** Sends a request, or most of it. */
  const send = (ask: Ask) => {
    let isAnswered = false
    const answered = answer(ask.method === 'HEAD').finally(() => {
      isAnswered = true
    })
    const body = bytesOf(ask.body ?? '')
    const sendAll = async () => {
      await write(headOf(ask))
      await write(body.subarray(0, body.length - (ask.withheldBytes ?? 0)), () => isAnswered)
    }
    return { sent: sendAll(), answered }
  }

  return {
    write,
    send,
    /** Sends a request, or most of it, and waits for the answer. */
    ask: async (ask: Ask): Promise<Answer> => {
      const { sent, answered } = send(ask)
      await sent
      return answered
    },
    /** Reads some kilobytes at most, and then nothing more. @returns what resolves once they came, or never will */
    stopReading: () =>
      new Promise<void>((resolve) => {
        onClose = resolve
        onData = () => {
          socket.pause()
          resolve()
        }
      }),
    isOpen: () => isOpen,
    close: () => socket.destroy(),
  }
}

export type Wire = Awaited<ReturnType<typeof openWire>>

/** One request on a connection of its own. */
export const ask = async (url: string, request: Ask): Promise<Answer> => {
  const wire = await openWire(url)
  try {
    return await wire.ask(request)
  } finally {
    wire.close()
  }
}

/** Calls `work` for each of so many senders, all at once. */
export const atOnce = <T>(senders: number, work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: senders }, (_, at) => work(at)))
