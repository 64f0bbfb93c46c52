import { invalid } from '../../errors.ts'
import { publicName } from '../../format.ts'
import { languageOfFile } from '../../highlight/languages/file-names.ts'
import { languageName } from '../../highlight/languages/languages.ts'
import { apiHeaders, commonHeaders, json, jsonHeaders } from '../../http/answers.ts'
import { bodyLimit, readJsonObject } from '../../http/body.ts'
import { api, type Handle, type RequestContext, reading, shared } from '../../http/routes.ts'
import type { StoredPaste } from '../../items/paste.ts'
import type { Listed } from '../../services/own-items.ts'
import { burningPaste } from '../pastes/answer-paste.ts'
import { keyIn, type Protocol, type SayError, speaking } from './protocol.ts'

const documentationUrl = 'https://docs.github.com/rest/gists/gists'

const sayAsGitHub: SayError = ({ status, message }) =>
  json({ message, documentation_url: documentationUrl }, status)

/** No proxy signs anybody in by the scheme `token`, so whatever follows it is meant as a key. */
const tokenIn = (context: RequestContext) =>
  /^token +(\S+)$/i.exec(context.request.headers.get('authorization') ?? '')?.[1] ?? keyIn(context)

/** The name that programs give to what has none. */
const unnamed = 'gistfile1.txt'

/** Fields of a paste, for a gist of one file. @throws {AppError} `invalid` */
const bodyOf = (sent: object) => {
  const { files, description } = sent as { files?: unknown; description?: unknown }
  const [[name, file] = ['', undefined], ...others] = Object.entries(Object(files))
  if (others.length > 0)
    throw invalid('A gist has one file here: send each file by itself, as one gist or as one paste')
  const { content, filename } = Object(file)
  if (filename !== undefined && filename !== name) throw invalid('The file of a gist keeps its name here')
  if (typeof content !== 'string' || content === '')
    throw invalid('"files" must have one file with its "content"')
  const language = languageOfFile(name, content) ?? 'auto'
  return { text: content, title: name === unnamed ? '' : name, language, description: description ?? '' }
}

/** Gists, as GitHub Enterprise has them, for the program `gist`: one file each, and none is public. */
export const gist: Protocol = (parts) => {
  const { guard, identify, pasteCreation, pasteAnswers, pastes, pastesOfKey, origin, log } = parts
  const maxBytes = bodyLimit(parts.maxPasteBytes)

  const gistOf = (context: RequestContext, paste: Listed<StoredPaste> | StoredPaste) => {
    const { id, title, description, language, createdAt, changedAt = createdAt } = paste
    const addresses = origin.addresses(context)
    const filename = title || unnamed
    const file = { filename, type: 'text/plain', language: languageName(language) }
    const text =
      'text' in paste ? { size: Buffer.byteLength(paste.text), content: paste.text } : { size: paste.bytes }
    const [created_at, updated_at] = [createdAt, changedAt].map((time) => new Date(time).toISOString())
    return {
      ...{ id, url: `${addresses.baseUrl}/api/v3/gists/${id}`, html_url: addresses.paste(publicName(paste)) },
      files: { [filename]: { ...file, raw_url: addresses.rawPaste(publicName(paste)), ...text } },
      ...{
        public: false,
        description: description || null,
        comments: 0,
        truncated: false,
        created_at,
        updated_at,
      },
    }
  }

  const create: Handle = async (context) => {
    const holder = await guard(context, tokenIn(context), 'paste')
    const body = bodyOf(await readJsonObject(context, maxBytes))
    const { item } = await pasteCreation.store(context, body, holder)
    const made = gistOf(context, item)
    return json(made, 201, { Location: made.html_url })
  }

  const show: Handle = async (context) => {
    const paste = await pastes.find(context.name)
    if (pastes.isBurning(paste)) throw burningPaste(paste)
    return json(gistOf(context, paste))
  }

  const list: Handle = async (context) => {
    const { name } = await identify(context, tokenIn(context))
    const query = new URL(context.request.url).searchParams
    const limit = Math.min(100, Math.max(1, Number(query.get('per_page')) || 30))
    const { items, after } = await pastesOfKey.list(name, limit, query.get('after') ?? undefined)
    const next = `/api/v3/gists?per_page=${limit}&after=${after}`
    const headers = { ...jsonHeaders, ...(after !== undefined && { Link: `<${next}>; rel="next"` }) }
    return new Response(JSON.stringify(items.map((paste) => gistOf(context, paste))), { headers })
  }

  const erase: Handle = async (context) => {
    const holder = await identify(context, tokenIn(context))
    const { id, owner } = await pastesOfKey.delete(holder, context.name)
    log('info', 'paste deleted', { id, owner, ...(owner !== holder.name && { by: holder.name }) })
    return new Response(null, { status: 204, headers: { ...commonHeaders, ...apiHeaders } })
  }

  const told = speaking(log, sayAsGitHub)
  return [
    api('POST /api/v3/gists', 'createGist', told(create)),
    api('GET /api/v3/gists', 'listGists', told(list)),
    api('GET /api/v3/gists/:id', 'readGist', told(show)),
    api('DELETE /api/v3/gists/:id', 'deleteGist', told(erase)),
    // Where `gist --raw` says that the text is.
    shared('GET /p/:id/raw', 'readRawGist', reading(pasteAnswers.answerRaw)),
  ]
}
