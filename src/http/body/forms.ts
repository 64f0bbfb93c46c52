import { invalid, malformed, unauthorized } from '../../errors.ts'
import { bodyChunks, decode } from './body.ts'
import { isMultipart, maxFields, type Part, readParts } from './multipart.ts'
import type { StrangerBodies, StrangerBody } from './stranger-bodies.ts'

/** Our pages send multipart. In this coding the longest link fits. */
export const maxUrlencodedBytes = 128 * 1024

/** Longer fields are decoded only with a valid key. */
const strangersFieldBytes = 64 * 1024

const longestKeyBytes = 1024

/** True for the coding of URLs. */
export const isUrlencoded = (type: string) => /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)

export type Fields = Readonly<Record<string, string>>

/** A posted form. `isCut`: there was no valid key, so long fields were left out. */
export type Form = { fields: Fields; isCut: boolean }

export type FormReaderParts = {
  maxBytes: number
  rooms: { strangers: StrangerBodies; guests: StrangerBodies }
}

/** Who sends a form. */
export type FormSender = {
  /** True for a valid key; takes no token. */
  isKnown: (key: string) => Promise<boolean>
  /** Browsers send each line end of a text area as CRLF. */
  isBrowser: boolean
  /** Whose memory the body takes until a valid key arrives; `undefined` if the sender has a name already. */
  room: keyof FormReaderParts['rooms'] | undefined
}

/** Restores the line ends that were typed; a program sends those that it means. */
const asTyped = (text: string, { isBrowser }: FormSender) =>
  isBrowser ? text.replaceAll('\r\n', '\n') : text

/** Passes chunks on, and counts each after it was parsed, because it may hold the key. */
async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  body: StrangerBody,
  isCounted: () => boolean,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk
    if (isCounted()) body.take(chunk.length)
  }
}

const readUrlencoded = async (
  request: Request,
  maxBytes: number,
  sender: FormSender,
  body: StrangerBody,
): Promise<Form> => {
  const limit = Math.min(maxBytes, maxUrlencodedBytes)
  const chunks: Uint8Array[] = []
  for await (const chunk of counted(
    bodyChunks({ request, server: null }, limit),
    body,
    () => sender.room !== undefined,
  ))
    chunks.push(chunk)
  const text = decode(Buffer.concat(chunks))
  let fields = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1))
    if (++fields > maxFields) throw invalid(`A form has at most ${maxFields} fields`)
  const entries = [...new URLSearchParams(text)].map(([name, value]) => [name, asTyped(value, sender)])
  return { fields: Object.fromEntries(entries), isCut: false }
}

const textOf = ({ bytes }: Part, sender: FormSender) => asTyped(decode(bytes(), true), sender)

/** Creates the reader of forms that browsers post. They have no files. */
export const createFormReader = ({ maxBytes, rooms }: FormReaderParts) => {
  const readMultipart = async (
    request: Request,
    type: string,
    sender: FormSender,
    body: StrangerBody,
  ): Promise<Form> => {
    let { room } = sender
    const chunks = counted(bodyChunks({ request, server: null }, maxBytes), body, () => room !== undefined)
    const parts: Part[] = []
    for await (const part of readParts(chunks, type, maxBytes)) {
      if (part.fileName !== undefined)
        throw unauthorized(
          'A file needs the API key in the header "key": curl -H "key: $KEY" -F file=@name.py',
        )
      parts.push(part)
      if (room === undefined || part.name !== 'key' || part.size > longestKeyBytes) continue
      if (!(await sender.isKnown(textOf(part, sender)))) continue
      room = undefined
      body.release()
    }
    const read = room === 'strangers' ? parts.filter(({ size }) => size <= strangersFieldBytes) : parts
    const fields = Object.fromEntries(read.map((part) => [part.name, textOf(part, sender)]))
    return { fields, isCut: read.length < parts.length }
  }

  /**
   * Counts the body towards the limit of all strangers, or all guests, until a valid key arrives.
   * @throws {AppError} `malformed`, `too-large`, `invalid` (too many fields), `unauthorized` (a file), `overloaded`
   */
  return async (request: Request, sender: FormSender): Promise<Form> => {
    const type = request.headers.get('content-type') ?? ''
    if (!isMultipart(type) && !isUrlencoded(type))
      throw malformed('This address takes the form of its page; programs use POST /paste')
    const body = rooms[sender.room ?? 'strangers'].open()
    try {
      return isMultipart(type)
        ? await readMultipart(request, type, sender, body)
        : await readUrlencoded(request, maxBytes, sender, body)
    } finally {
      body.release()
    }
  }
}
