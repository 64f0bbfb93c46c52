import { invalid, tooLarge } from '../../errors.ts'
import type { Highlighter } from '../../highlight/highlighter.ts'
import { languageOfFile } from '../../highlight/languages/file-names.ts'
import { addressAnswer, json, outcomeOf } from '../../http/answers.ts'
import { bodyChunks, bodyLimit, decode, formLimit, readBody, readJsonObject } from '../../http/body.ts'
import {
  isMultipart,
  isUrlencoded,
  type Part,
  readParts,
  uniqueFields,
  urlencodedFields,
} from '../../http/forms.ts'
import type { Origin } from '../../http/origin.ts'
import type { KeyedContext, RequestContext } from '../../http/routes.ts'
import { checkGuestCreation, type KeyChecks } from '../../http/who.ts'
import { asAsked, checkKnown, createView, fromUpload, isDetected, uploadFields } from '../../items/field.ts'
import { linkTable } from '../../items/link.ts'
import { pasteTable } from '../../items/paste.ts'
import type { Scope } from '../../items/schema.ts'
import type { Log } from '../../log.ts'
import type { KeyHolder } from '../../services/keys.ts'
import type { Pastes } from '../../services/pastes.ts'
import type { ProtocolName } from '../../settings/values.ts'
import { createForeign, type Foreign } from '../compatible/fields.ts'
import type { LinkCreation } from '../links/links.ts'

export type PasteCreationParts = Pick<KeyChecks, 'guard' | 'uploadKey'> & {
  protocols: ReadonlySet<ProtocolName>
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

/** The ways to create a paste, and an upload that asks for a short link. */
export const createPasteCreation = (parts: PasteCreationParts, links: Pick<LinkCreation, 'store'>) => {
  const { pastes, highlighter, origin, log, guard, uploadKey, maxPasteBytes, now } = parts
  const foreign = createForeign(parts.protocols)
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
    const { body, key, scope } = await readUpload(context, { ...what, foreign, maxPasteBytes, now: now() })
    const isOther = holder.as !== undefined && Boolean(key)
    // What takes a token took it; a key for the other kind alone is refused here.
    const isOutside = holder.only !== undefined && holder.only !== scope
    const sender = isOther || isOutside ? await guard(context, key || uploadKey(context), scope) : holder
    return (scope === 'paste' ? store : links.store)(context, body, sender)
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
      return addressAnswer(request, answer, 'pasteUrl' in answer ? answer.pasteUrl : answer.shortendUrl)
    },
  }
}
export type PasteCreation = ReturnType<typeof createPasteCreation>

/** `files` are texts that could be the paste, beside a field `text`; there must be one. */
type Sent = { files: readonly string[]; fileName: string; fields: Readonly<Record<string, string>> }

export type UploadParts = {
  /** Of the file; may be empty. */
  name: string
  foreign: Foreign
  maxPasteBytes: number
  /** True where a body can also be a form in the coding of URLs, and a form can ask for a short link. */
  mayBeForm?: boolean
  /** Milliseconds since the epoch. */
  now: number
}

const knownFields = {
  paste: new Set([...uploadFields(pasteTable), 'key']),
  shorten: new Set([...uploadFields(linkTable), 'key']),
}

const queryFields = ({ url }: Request) => Object.fromEntries(new URL(url).searchParams)

const textOf = (part: Part) => decode(part.bytes(), true)

/** `curl -F file=@name.py -F title=…`: the file part may have any name. */
const readMultipart = async (
  chunks: Parameters<typeof readParts>[0],
  type: string,
  { maxPasteBytes, foreign }: UploadParts,
): Promise<Sent> => {
  const parts: Part[] = []
  for await (const part of readParts(chunks, type, formLimit(maxPasteBytes))) parts.push(part)
  const files = parts.filter(({ fileName }) => fileName !== undefined)
  if (files.some(({ size }) => size > maxPasteBytes))
    throw tooLarge(`The file is larger than ${maxPasteBytes} bytes`)
  const isOnce = files.some(({ name }) => foreign.isOnceFile(name))
  const others = parts.filter(({ fileName }) => fileName === undefined)
  return {
    files: files.map(textOf),
    fileName: files[0]?.fileName ?? '',
    fields: {
      ...uniqueFields(others.map((part) => [part.name, textOf(part)])),
      ...(isOnce && { oneshot: '1' }),
    },
  }
}

/** wgetpaste sends its form under the type of urlencoded ones, where the user gives the service a name. */
const envelope = /^--(WGETPASTE-\S{1,60})\r?\n/

const readRaw = async (context: RequestContext, type: string, parts: UploadParts): Promise<Sent> => {
  const { name, maxPasteBytes, mayBeForm = false, foreign } = parts
  const bytes = await readBody(context, maxPasteBytes)
  const isForm = mayBeForm && isUrlencoded(type)
  const [, boundary] = (isForm && envelope.exec(Buffer.from(bytes.subarray(0, 80)).toString('latin1'))) || []
  if (boundary !== undefined)
    return readMultipart([bytes], `multipart/form-data; boundary=${boundary}`, parts)
  const body = decode(bytes, true)
  const form = isForm ? foreign.formIn(body) : undefined
  if (form === undefined) return { files: [body], fileName: name, fields: {} }
  return { files: [], fileName: name, fields: urlencodedFields(form) }
}

/**
 * The uploaded text, byte for byte, with the title and language that its name implies; else the language is detected. Or an
 * address to shorten.
 * @returns the body of a creation, its kind, and the key that is a field of it
 * @throws {AppError} `too-large`, then `malformed` (not UTF-8), then `invalid` (unknown fields, empty, no file or several)
 */
const readUpload = async (
  context: RequestContext,
  parts: UploadParts,
): Promise<{ body: object; key: string | undefined; scope: Scope }> => {
  const { headers } = context.request
  const type = headers.get('content-type') ?? ''
  const { files, ...sent } = isMultipart(type)
    ? await readMultipart(bodyChunks(context, formLimit(parts.maxPasteBytes)), type, parts)
    : await readRaw(context, type, parts)
  const asked = { ...queryFields(context.request), ...sent.fields }
  const { text: field, ...fields } = parts.foreign.own(asked, headers, parts.now)
  const texts = field === undefined ? files : [...files, field]
  const { url, ...others } = fields
  if (parts.mayBeForm && url !== undefined) {
    checkKnown(others, knownFields.shorten)
    if (texts.length > 0) throw invalid('A text and an address to shorten are two things. Send one of them')
    return { body: { ...fromUpload(linkTable, others), url: url.trim() }, key: others.key, scope: 'shorten' }
  }
  checkKnown(fields, knownFields.paste)
  const [text = ''] = texts
  if (texts.length !== 1) throw invalid('Send exactly one file, or one field "text": curl -F file=@name.py')
  if (text === '') throw invalid('The upload is empty')
  if (Buffer.byteLength(text) > parts.maxPasteBytes)
    throw tooLarge(`The text is larger than ${parts.maxPasteBytes} bytes`)
  // `-` is curl's name for its standard input.
  const fileName = parts.foreign.fileName(headers) ?? (sent.fileName === '-' ? '' : sent.fileName)
  const { title = fileName, description = '', language, ...said } = fromUpload(pasteTable, fields)
  const body = {
    ...{ ...said, text, title, description },
    language: language || (languageOfFile(fileName, text) ?? 'auto'),
  }
  return { body, key: fields.key, scope: 'paste' }
}
