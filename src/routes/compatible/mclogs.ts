import { AppError, forbidden, invalid, malformed } from '../../errors.ts'
import { publicName } from '../../format.ts'
import { languageOfFile } from '../../highlight/languages/file-names.ts'
import { json } from '../../http/answers.ts'
import { bodyLimit, decode, readBody, readJsonObject } from '../../http/body.ts'
import { isUrlencoded } from '../../http/forms.ts'
import { api, type Handle, type NamedContext, type RequestContext, reading } from '../../http/routes.ts'
import type { StoredPaste } from '../../items/paste.ts'
import { burningPaste } from '../pastes/answer-paste.ts'
import { keyIn, type Protocol } from './protocol.ts'

const codings: Partial<Record<string, 'gzip' | 'deflate-raw'>> = { gzip: 'gzip', deflate: 'deflate-raw' }

/** The request with its body as it was before it was compressed, which the library for Java does. */
const unpacked = (context: RequestContext): RequestContext => {
  const { url, body, headers } = context.request
  const coding = headers.get('content-encoding')?.toLowerCase()
  if (coding === undefined || !body) return context
  const format = codings[coding]
  if (!format) throw malformed('Unsupported Content-Encoding: send gzip, deflate or none')
  const type = { 'Content-Type': headers.get('content-type') ?? '' }
  const stream = body.pipeThrough(new DecompressionStream(format))
  return { request: new Request(url, { method: 'POST', headers: type, body: stream }), server: null }
}

/** Prism Launcher sends blanks and plus signs as they are; who codes blanks codes plus signs, too. */
const formOf = (body: string) =>
  Object.fromEntries(new URLSearchParams(body.includes(' ') ? body.replaceAll('+', '%2B') : body))

type Sent = Readonly<Record<string, unknown>>

const readFields = async (sent: RequestContext, maxBytes: number): Promise<Sent> => {
  const context = unpacked(sent)
  if (!isUrlencoded(context.request.headers.get('content-type') ?? ''))
    return { ...(await readJsonObject(context, maxBytes)) }
  return formOf(decode(await readBody(context, maxBytes), true))
}

/** What a program says about its log, as its reader sees it. */
const aboutOf = ({ metadata, source }: Sent) => {
  const entries: unknown[] = Array.isArray(metadata) ? metadata : []
  const lines = entries.flatMap((entry) => {
    const { key, value, label = key, visible = true } = Object(entry)
    return visible && key !== undefined && value !== undefined ? [`${label}: ${value}`] : []
  })
  return [...lines, ...(source ? [`Source: ${source}`] : [])].join('\n')
}

const bodyOf = (fields: Sent) => {
  const { content } = fields
  if (content === undefined) throw malformed("Required field 'content' not found.")
  if (content === '') throw malformed("Required field 'content' is empty.")
  if (typeof content !== 'string') throw malformed("Field 'content' must be a string.")
  const language = languageOfFile('.log', content) ?? 'log'
  return { text: content, title: '', description: aboutOf(fields), language }
}

/** What the libraries take out of a log before they send it, as mclo.gs asks them to. */
const masked: Readonly<Record<string, string>> = {
  '\\b(?!127\\.|0\\.0\\.0\\.0)(?:\\d{1,3}\\.){3}\\d{1,3}\\b': '**.**.**.**',
  '(?<![\\w:])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?![\\w:])': '****:****:****:****:****:****:****:****',
  '(?<=[/\\\\](?:home|Users)[/\\\\])[^/\\\\\\n]{1,64}(?=[/\\\\])': '********',
  '(?<=--accessToken )\\S+|(?<=Session ID is token:)[^)\\s]+': '********',
}
const shared = { modifiers: ['i'] }
const patterns = Object.entries(masked).map(([pattern, replacement]) => ({ pattern, replacement, ...shared }))
const filters = [{ type: 'regex', data: { patterns, exemptions: [] } }]

const tokenOf = ({ headers }: Request) => /^\w+ +(\S+)$/.exec(headers.get('authorization') ?? '')?.[1]

/** mclo.gs: its programs send logs without a key, so they are guests, unless somebody gave them one. */
export const mclogs: Protocol = (parts) => {
  const { guard, identify, pasteCreation, pasteAnswers, pastes, pastesOfKey } = parts
  const { origin, log, maxPasteBytes, lifetimes } = parts

  const answerOf = (context: RequestContext, paste: StoredPaste) => {
    const { id, text, createdAt, expiresAt } = paste
    const [name, addresses] = [publicName(paste), origin.addresses(context)]
    return {
      ...{ success: true, id, source: null, created: Math.floor(createdAt / 1000), metadata: [] },
      ...(expiresAt !== undefined && { expires: Math.floor(expiresAt / 1000) }),
      ...{ size: Buffer.byteLength(text), lines: text.split('\n').length },
      ...{ url: addresses.paste(name), raw: addresses.rawPaste(name) },
    }
  }

  const create: Handle = async (context) => {
    const holder = await guard(context, keyIn(context), 'paste')
    const body = bodyOf(await readFields(context, bodyLimit(maxPasteBytes)))
    const { item, answer } = await pasteCreation.store(context, body, holder)
    const token = answer.deletionUrl && new URL(answer.deletionUrl).searchParams.get('key')
    return json({ ...answerOf(context, item), token })
  }

  const show: Handle = async (context) => {
    const paste = await pastes.find(context.name)
    if (pastes.isBurning(paste)) throw burningPaste(paste)
    const query = new URL(context.request.url).searchParams
    if (query.has('insights') || query.has('parsed')) throw invalid('This server does not analyse logs')
    return json({ ...answerOf(context, paste), ...(query.has('raw') && { content: { raw: paste.text } }) })
  }

  const eraseByToken = async ({ name, request }: NamedContext) => {
    const token = tokenOf(request)
    if (token === undefined) throw malformed('Missing token.')
    const { id } = await pastes.find(name)
    const found = await pastes.findByDeletionKey(token).catch((error) => {
      throw error instanceof AppError && error.kind === 'not-found' ? forbidden('Invalid token.') : error
    })
    if (found.id !== id) throw forbidden('Invalid token.')
    return pastes.delete(token)
  }

  const erase: Handle = async (context) => {
    const key = keyIn(context)
    const { id, owner } = key
      ? await pastesOfKey.delete(await identify(context, key), context.name)
      : await eraseByToken(context)
    log('info', 'paste deleted', { id, ...(key && { owner }) })
    return json({ success: true })
  }

  const limits = () => ({
    storageTime: Number.parseInt(lifetimes[0]?.value ?? '', 10) || 315_360_000,
    maxLength: maxPasteBytes,
    // A text has at most as many lines as bytes.
    maxLines: maxPasteBytes,
  })
  return [
    api('POST /1/log', 'createLog', create),
    api('GET /1/log/:id', 'showLog', show),
    api('DELETE /1/log/:id', 'deleteLog', erase),
    api('GET /1/raw/:id', 'readRawLog', reading(pasteAnswers.answerRaw)),
    api('GET /1/limits', 'readLogLimits', () => json({ success: true, ...limits() })),
    api('GET /1/filters', 'readLogFilters', () => json(filters)),
  ]
}
