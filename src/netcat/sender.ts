import { invalid } from '../errors.ts'
import type { Gathering } from './gathering.ts'
import { createHttpDetection } from './http-request.ts'
import type { NetcatLimits } from './limits.ts'
import { isTextSoFar, notText } from './utf8.ts'

type Times = Pick<NetcatLimits, 'firstByteMs' | 'silenceMs' | 'wholeTextMs'>

export type SenderParts = {
  limits: Times
  text: Gathering
  /** @returns the address of the new page */
  store: (text: Uint8Array) => Promise<string>
  /** The sender's one line for an error. */
  explain: (error: unknown) => string
  /** Called once, unless the sender is gone before. */
  answer: (line: string) => void
  /** Called in place of `answer` for a request of HTTP. */
  answerHttp: () => void
}

/** One sender: what arrives from it, until it is answered. */
export type Sender = {
  /** @returns false for bytes after its end, which are not wanted */
  data: (bytes: Uint8Array) => boolean
  /** It closed its half. */
  end: () => void
  refuse: (error: unknown) => void
  /** The connection is closed: a text that was not complete is forgotten. */
  gone: () => void
  /** True until the first byte. */
  isSilent: () => boolean
}

const seconds = (milliseconds: number) => `${milliseconds / 1000} seconds`

const silent = ({ firstByteMs }: Times) =>
  invalid(`Nothing was sent for ${seconds(firstByteMs)}. Send a text: some-command | nc HOST PORT`)
const slow = ({ wholeTextMs }: Times) =>
  invalid(
    `The text took longer than ${seconds(wholeTextMs)}. Nothing was stored. Write it to a file, then send that.`,
  )
const empty = () => invalid('The text is empty. Nothing was stored.')

/** Receives one text, and answers it once. */
export const createSender = (parts: SenderParts): Sender => {
  const { limits, text, store, explain, answer, answerHttp } = parts
  let state: 'silent' | 'sending' | 'done' = 'silent'
  const { isHttp, isHttpAtEnd } = createHttpDetection(text.bytes)
  let deadline: ReturnType<typeof setTimeout> | undefined
  let silence = setTimeout(() => refuse(silent(limits)), limits.firstByteMs)

  /** @returns false if it was done before */
  const finish = () => {
    if (state === 'done') return false
    state = 'done'
    clearTimeout(silence)
    clearTimeout(deadline)
    return true
  }

  const forget = (say: () => void) => {
    if (!finish()) return
    text.release()
    say()
  }
  const refuse = (error: unknown) => forget(() => answer(explain(error)))

  const take = async () => {
    if (isHttpAtEnd()) return forget(answerHttp)
    if (!finish()) return
    const line = await store(text.bytes()).catch(explain)
    text.release()
    answer(line)
  }

  const begin = () => {
    state = 'sending'
    deadline = setTimeout(() => refuse(slow(limits)), limits.wholeTextMs)
  }

  return {
    data: (bytes) => {
      if (state === 'done') return false
      if (state === 'silent') begin()
      clearTimeout(silence)
      silence = setTimeout(take, limits.silenceMs)
      try {
        if (text.isEmpty() && !isTextSoFar(bytes)) throw notText()
        text.add(bytes)
        if (isHttp(bytes)) forget(answerHttp)
      } catch (error) {
        refuse(error)
      }
      return true
    },
    end: () => {
      if (state === 'silent') refuse(empty())
      else take()
    },
    refuse,
    gone: () => forget(() => {}),
    isSilent: () => state === 'silent',
  }
}
