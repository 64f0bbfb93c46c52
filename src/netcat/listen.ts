import { createCounter } from '../collector.ts'
import { overloaded } from '../errors.ts'
import { createStrangerBodies } from '../http/memory.ts'
import { peerAddressOf } from '../ip-address.ts'
import { type Connection, createConnection, type Wire } from './connection.ts'
import { createCounting } from './counting.ts'
import { createGathering } from './gathering.ts'
import { httpAnswer } from './http-request.ts'
import type { NetcatLimits } from './limits.ts'
import { createSender, type Sender } from './sender.ts'

/** Where a sender is, and where it connected to. */
export type Peer = { client: string; localHost: string }

export type NetcatParts = {
  hostname: string
  port: number
  limits: NetcatLimits
  maxPasteBytes: number
  /** @returns the address of the new page */
  store: (text: Uint8Array, peer: Peer) => Promise<string>
  /** @throws {AppError} for an address that no text is taken from */
  checkAddress: (client: string) => void
  /** Rejects if no text can be stored for it, before it has sent one. */
  checkKey: (client: string) => Promise<void>
  /** The sender's one line for an error. */
  explain: (error: unknown) => string
  /** The line for a browser. */
  explainHttp: (peer: Peer) => string
}

export type Netcat = {
  hostname: string
  port: number
  /** Stops accepting, and resolves once the texts that are being sent are answered. */
  stop: () => Promise<void>
}

/** Garbage is collected each time that so much has arrived: 100 senders of 1 MiB, again and again, took 110 MB more. */
const collectedBytes = 32 * 1024 ** 2

/** A connection; it has no sender if it is only refused. */
type State = { connection: Connection; sender?: Sender; leave: () => void }

const stopping = () => overloaded('The server is stopping. Try again in a moment.')

/** What becomes of each connection. */
const createReception = (parts: Omit<NetcatParts, 'hostname' | 'port'>) => {
  const { limits, maxPasteBytes, store, checkAddress, checkKey, explain, explainHttp } = parts
  // The largest pastes fit, and more than one.
  const memory = createStrangerBodies(Math.max(limits.textBytes, 3 * maxPasteBytes), 'texts')
  const counting = createCounting(limits)
  let refused = 0

  const receive = (connection: Connection, peer: Peer): Sender => {
    const sender = createSender({
      limits,
      text: createGathering(maxPasteBytes, memory.open()),
      store: (text) => store(text, peer),
      explain,
      answer: (line) => connection.answer(`${line}\n`),
      answerHttp: () => connection.answer(httpAnswer(explainHttp(peer))),
    })
    checkKey(peer.client).catch(sender.refuse)
    return sender
  }

  const refuse = (connection: Connection, error: unknown): State | undefined => {
    if (refused >= limits.refused) return undefined
    refused++
    connection.answer(`${explain(error)}\n`)
    return { connection, leave: () => void refused-- }
  }

  /** `undefined` for a connection that gets no line either. */
  return (wire: Wire, peer: Peer): State | undefined => {
    const connection = createConnection({ wire, limits })
    try {
      checkAddress(peer.client)
      const leave = counting.enter(peer.client)
      return { connection, sender: receive(connection, peer), leave }
    } catch (error) {
      return refuse(connection, error)
    }
  }
}

const peerOf = ({ remoteAddress, localAddress }: Bun.Socket<unknown>): Peer | undefined => {
  const [client, localHost] = [remoteAddress, localAddress].map((text) => peerAddressOf(text ?? ''))
  return client === undefined || localHost === undefined ? undefined : { client, localHost }
}

/** Takes texts by bare TCP. @throws Bun's error when the port is taken or may not be used */
export const listenForNetcat = ({ hostname, port, ...parts }: NetcatParts): Netcat => {
  const receive = createReception(parts)
  const open = new Set<State>()
  const count = createCounter(collectedBytes)
  let onEmpty = () => {}

  const listener = Bun.listen<State | undefined>({
    hostname,
    port,
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
      data: ({ data: state }, bytes) => {
        count(bytes.length)
        if (!state?.sender?.data(bytes)) state?.connection.drop(bytes.length)
      },
      end: ({ data: state }) => {
        state?.connection.otherEnded()
        state?.sender?.end()
      },
      close: ({ data: state }) => {
        if (!state || !open.delete(state)) return
        state.connection.closed()
        state.sender?.gone()
        state.leave()
        if (open.size === 0) onEmpty()
      },
      // A connection that was reset is closed as well.
      error: () => {},
    },
  })

  return {
    hostname: listener.hostname,
    port: listener.port,
    stop: async () => {
      listener.stop()
      for (const { sender } of open) if (sender?.isSilent()) sender.refuse(stopping())
      if (open.size > 0)
        await new Promise<void>((resolve) => {
          onEmpty = resolve
        })
    },
  }
}
