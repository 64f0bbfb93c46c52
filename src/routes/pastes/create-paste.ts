import { invalid, tooLarge } from '../../errors.ts'
import type { Highlighter } from '../../highlight/highlighter.ts'
import { languageOfFile } from '../../highlight/languages/file-names.ts'
import { addressAnswer, json, outcomeOf } from '../../http/answers.ts'
import { bodyChunks, bodyLimit, decode, formLimit, readBody, readJsonObject } from '../../http/body.ts'
import { isMultipart, isUrlencoded, type Part, readParts } from '../../http/forms.ts'
import type { Origin } from '../../http/origin.ts'
import type { KeyedContext, RequestContext } from '../../http/routes.ts'
import { checkGuestCreation, type KeyChecks } from '../../http/who.ts'
import {
  asAsked,
  checkKnown,
  createView,
  expiresInOf,
  foreignFields,
  fromUpload,
  inOwnNames,
  isDetected,
  uploadFields,
} from '../../items/field.ts'
import { pasteTable } from '../../items/paste.ts'
import type { Log } from '../../log.ts'
import type { KeyHolder } from '../../services/keys.ts'
import type { Pastes } from '../../services/pastes.ts'

export type PasteCreationParts = Pick<KeyChecks, 'guard'> & {
  pastes: Pick<Pastes, 'create'>
  highlighter: Pick<Highlighter, 'prepare'>
  origin: Origin
  log: Log
  /** Limit of the text alone. */
  maxPasteBytes: number
  /** Milliseconds since the epoch. */
  now: () => number
}

const createdPaste = createView(pasteTable, 'created')

/** The ways to create a paste. */
export const createPasteCreation = (parts: PasteCreationParts) => {
  const { pastes, highlighter, origin, log, guard, maxPasteBytes, now } = parts
  const maxBodyBytes = bodyLimit(maxPasteBytes)

  /** Stores and logs a paste, or a change of one. `answer` is the body of `POST /paste`. */
  const store = async (context: RequestContext, body: object, holder: KeyHolder) => {
    checkGuestCreation(holder, body)
    const owner = holder.name
    const { item, name, deletionKey } = await pastes.create(body, owner)
    highlighter.prepare(item)
    const what = deletionKey === undefined ? 'changed' : 'created'
    log('info', `paste ${what}`, { id: item.id, owner, client: origin.client(context) })
    const addresses = origin.addresses(context)
    const urls = { pasteUrl: addresses.paste(name), rawUrl: addresses.rawPaste(name) }
    const { language, ...asked } = asAsked(body, item)
    const shown = {
      ...{ ...asked, ...urls },
      // Who named a language knows it.
      ...('language' in body && isDetected(body.language) && { language }),
      ...(deletionKey !== undefined && { deletionUrl: addresses.pasteDeletion(deletionKey) }),
    }
    return { item, name, answer: { success: true, message: `Paste ${what}`, ...createdPaste(shown) } }
  }

  /** Stores what was uploaded. Who needs no key may still send one, which is then the one that counts. */
  const storeUpload = async (
    context: RequestContext,
    holder: KeyHolder,
    what: Pick<UploadParts, 'name' | 'mayBeForm'>,
  ) => {
    const { body, key } = await readUpload(context, { ...what, maxPasteBytes, now: now() })
    return store(context, body, holder.as && key ? await guard(context, key, 'paste') : holder)
  }

  return {
    store,
    storeUpload,

    /** `POST /paste` */
    create: async ({ request, server, holder }: KeyedContext) => {
      const body = await readJsonObject({ request, server }, maxBodyBytes)
      const { answer } = await store({ request, server }, body, holder)
      return json(answer, ...outcomeOf(answer, answer.pasteUrl))
    },

    /** An upload with plain `curl`; answers with only the address: `PUT /<name>`, `PUT /`, or `POST /` with a key. */
    upload: async ({ request, server, holder, name = '' }: KeyedContext & { name?: string }) => {
      const mayBeForm = request.method === 'POST'
      const { answer } = await storeUpload({ request, server }, holder, { name, mayBeForm })
      return addressAnswer(request, answer, answer.pasteUrl)
    },
  }
}
export type PasteCreation = ReturnType<typeof createPasteCreation>

type FormFields = Readonly<Record<string, string>>
/** `texts` are all that could be the paste; there must be one. */
type Sent = { texts: readonly string[]; fileName: string; fields: FormFields }

export type UploadParts = {
  /** Of the file; may be empty. */
  name: string
  maxPasteBytes: number
  /** True where a body can also be a form in the coding of URLs. */
  mayBeForm?: boolean
  /** Milliseconds since the epoch. */
  now: number
}

const knownFields = new Set([...uploadFields(pasteTable), ...foreignFields, 'key'])

/** What these ask for, rustypaste does; here they would become ordinary pastes. */
const refusedFiles = new Set(['protected', 'remote', 'url', 'oneshot_url'])

const queryFields = ({ url }: Request) => Object.fromEntries(new URL(url).searchParams)

const textOf = (part: Part) => decode(part.bytes(), true)

/** `curl -F file=@name.py -F title=…`: the file part may have any name; `oneshot` says that it is read once. */
const readMultipart = async (context: RequestContext, type: string, maxPasteBytes: number): Promise<Sent> => {
  const maxBytes = formLimit(maxPasteBytes)
  const parts: Part[] = []
  for await (const part of readParts(bodyChunks(context, maxBytes), type, maxBytes)) parts.push(part)
  const files = parts.filter(({ fileName }) => fileName !== undefined)
  if (files.some(({ size }) => size > maxPasteBytes))
    throw tooLarge(`The file is larger than ${maxPasteBytes} bytes`)
  const refused = files.find(({ name }) => refusedFiles.has(name))
  if (refused) throw invalid(`This server does not support a file named "${refused.name}"`)
  const others = parts.filter(({ fileName, name }) => fileName === undefined && name !== 'text')
  const isOnce = files.some(({ name }) => name === 'oneshot')
  return {
    texts: parts.filter((part) => !others.includes(part)).map(textOf),
    fileName: files[0]?.fileName ?? '',
    fields: {
      ...queryFields(context.request),
      ...Object.fromEntries(others.map((part) => [part.name, textOf(part)])),
      ...(isOnce && { oneshot: '1' }),
    },
  }
}

/**
 * Most programs send any bytes under the type of forms, as `curl --data-binary` does. A form has a field `text`, and nothing
 * in it that the coding of URLs would have escaped.
 */
const isForm = (text: string) => /(?:^|&)text=/.test(text) && !/[^\w.~*+!'()=&%-]|%(?![\da-f]{2})/i.test(text)

const readRaw = async (
  context: RequestContext,
  type: string,
  { name, maxPasteBytes, mayBeForm = false }: UploadParts,
): Promise<Sent> => {
  const body = decode(await readBody(context, maxPasteBytes), true)
  const fields = queryFields(context.request)
  if (!mayBeForm || !isUrlencoded(type) || !isForm(body)) return { texts: [body], fileName: name, fields }
  const form = new URLSearchParams(body)
  const texts = form.getAll('text')
  form.delete('text')
  return { texts, fileName: name, fields: { ...fields, ...Object.fromEntries(form) } }
}

/**
 * The uploaded text, byte for byte, with the title and language that its name implies; else the language is detected.
 * @returns the body of a creation, and the key that is a field of it
 * @throws {AppError} `too-large`, then `malformed` (not UTF-8), then `invalid` (unknown fields, empty, no file or several)
 */
export const readUpload = async (
  context: RequestContext,
  parts: UploadParts,
): Promise<{ body: object; key: string | undefined }> => {
  const { headers } = context.request
  const type = headers.get('content-type') ?? ''
  const { texts, fileName, fields } = isMultipart(type)
    ? await readMultipart(context, type, parts.maxPasteBytes)
    : await readRaw(context, type, parts)
  checkKnown(fields, knownFields)
  const [text = ''] = texts
  if (texts.length !== 1) throw invalid('Send exactly one file, or one field "text": curl -F file=@name.py')
  if (text === '') throw invalid('The upload is empty')
  const expire = headers.get('expire')
  const own = inOwnNames(fields, 'maxReads', parts.now)
  const said = fromUpload(pasteTable, { ...own, ...(expire !== null && { expiresIn: expiresInOf(expire) }) })
  // `-` is curl's name for its standard input.
  const { title = fileName === '-' ? '' : fileName, description = '', language } = said
  const body = {
    ...{ ...said, text, title, description },
    language: language || (languageOfFile(fileName, text) ?? 'auto'),
  }
  return { body, key: fields.key }
}
