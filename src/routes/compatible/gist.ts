import { invalid } from '../../errors.ts'
import { publicName } from '../../format.ts'
import { languageOfFile } from '../../highlight/languages/file-names.ts'
import { languageName } from '../../highlight/languages/languages.ts'
import { json } from '../../http/answers.ts'
import { bodyLimit, readJsonObject } from '../../http/body.ts'
import { api, type Handle, type RequestContext, reading, shared } from '../../http/routes.ts'
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

/** Gists, as GitHub Enterprise makes them, for the program `gist`: one file each, and none is public. */
export const gist: Protocol = ({ guard, pasteCreation, pasteAnswers, origin, log, maxPasteBytes }) => {
  const create: Handle = async (context) => {
    const holder = await guard(context, tokenIn(context), 'paste')
    const body = bodyOf(await readJsonObject(context, bodyLimit(maxPasteBytes)))
    const { item } = await pasteCreation.store(context, body, holder)
    const { id, text, title, description, language, createdAt } = item
    const addresses = origin.addresses(context)
    const [filename, html_url] = [title || unnamed, addresses.paste(publicName(item))]
    const file = { filename, raw_url: addresses.rawPaste(publicName(item)), language: languageName(language) }
    const made = {
      ...{ id, html_url, description: description || null, public: false },
      files: { [filename]: { ...file, size: Buffer.byteLength(text), content: text } },
      created_at: new Date(createdAt).toISOString(),
    }
    return json(made, 201, { Location: html_url })
  }
  return [
    api('POST /api/v3/gists', 'createGist', speaking(log, sayAsGitHub)(create)),
    // Where `gist --raw` says that the text is.
    shared('GET /p/:id/raw', 'readRawGist', reading(pasteAnswers.answerRaw)),
  ]
}
