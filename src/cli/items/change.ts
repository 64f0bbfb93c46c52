import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSystemError } from '../../errors.ts'
import { fileNameOf } from '../../highlight/languages/file-names.ts'
import {
  changeItem,
  deleteItemOfKey,
  findNamed,
  itemNamed,
  itemToChange,
  kindOfFound,
  type Named,
  type OwnItem,
  type Plural,
  parseNamed,
} from '../client/items.ts'
import { targetOf, timeoutOf } from '../client/login.ts'
import { Failure, parseReply, send, waitWords, withinRate, wrongUsage } from '../client/send.ts'
import { type ClientCommand, type ClientFlags, reasonOf, type Terminal } from '../terminal.ts'
import { contentOf } from './read.ts'

/** The editor of the user, as other programs find it. */
const editorOf = ({ env, platform }: Terminal) =>
  env.VISUAL || env.EDITOR || (platform === 'win32' ? 'notepad' : 'vi')

/** The editor finds the language by the name. */
const fileNameFor = (plural: Plural, { id, title, language }: OwnItem) =>
  plural === 'links' ? `${id}.txt` : fileNameOf(id, String(title ?? ''), String(language ?? 'text'))

const changeBody = (plural: Plural, text: string) => (plural === 'links' ? { url: text.trim() } : { text })

/** Opens the content in an editor, for this user alone. @returns what it holds afterwards, and where. @throws {Failure} */
const edited = async (content: string, name: string, terminal: Terminal) => {
  const editor = editorOf(terminal)
  const folder = await mkdtemp(join(tmpdir(), 'shortcrust-'))
  const file = join(folder, name)
  await writeFile(file, content, { mode: 0o600 })
  const code = await terminal.openWith(editor, file)
  if (code !== 0)
    throw new Failure(
      `the editor "${editor}" ended with ${code}; nothing was sent, your text is in ${file}`,
      1,
    )
  return { folder, file, text: await readFile(file, 'utf8') }
}

/** Adds where the text is to the message of a failure. */
const keptIn = (file: string) => (error: unknown) => {
  if (error instanceof Failure)
    throw new Failure(`${error.message}; your text is in ${file}`, error.exitCode, error.reply)
  throw error
}

/** Changes an item in an editor; what somebody else changed meanwhile is never overwritten. */
export const editItem: ClientCommand = async ([raw = ''], flags, terminal) => {
  const named = itemNamed(raw)
  const target = await targetOf(flags, terminal)
  const found = await findNamed(target, named)
  const { plural } = found
  const { item, tag } = await itemToChange(target, plural, found.item.id)
  const content = contentOf(plural, item)
  try {
    const { folder, file, text } = await edited(content, fileNameFor(plural, item), terminal)
    if (text === content) terminal.printError('nothing was changed')
    else {
      const body = changeBody(plural, text)
      const attempt = () => changeItem(target, plural, item.id, body, tag)
      const onWait = (seconds: number) => terminal.printError(waitWords(seconds))
      const changed = await withinRate(attempt, { flags, terminal, onWait }).catch(keptIn(file))
      terminal.printError(`changed ${kindOfFound(found)} ${found.address}, version ${changed.version}`)
    }
    await rm(folder, { recursive: true })
    return 0
  } catch (error) {
    if (isSystemError(error)) throw wrongUsage(`cannot use a temporary file: ${reasonOf(error)}`)
    throw error
  }
}

const endpoint = /^(.*)(\/(?:paste|shortener)\/delete)$/

/** Server and path of a deletion link; `undefined` for any other address. */
const linkParts = (raw: string) => {
  const url = /^https?:\/\//i.test(raw) ? URL.parse(raw) : null
  const [, prefix = '', path] = endpoint.exec(url?.pathname ?? '') ?? []
  if (!url || !path || !url.searchParams.get('key')) return undefined
  return { server: url.origin + prefix, path: path + url.search }
}

/** The link is the permission, so no key is sent. */
const deleteByLink = async (parts: { server: string; path: string }, { timeout }: ClientFlags) => {
  const reply = await send({ method: 'DELETE', ...parts, ...timeoutOf(timeout) })
  return { answer: parseReply(reply, parts.server), what: '' }
}

const deleteByName = async (named: Named, flags: ClientFlags, terminal: Terminal) => {
  const target = await targetOf(flags, terminal)
  const found = await findNamed(target, named)
  const answer = await deleteItemOfKey(target, found.plural, found.item.id)
  return { answer, what: ` ${kindOfFound(found)} ${found.address}` }
}

const eraseVersion = async (raw: string, flags: ClientFlags, terminal: Terminal) => {
  const parts = linkParts(raw)
  if (parts) return deleteByLink(parts, flags)
  const named = parseNamed(raw)
  if (named) return deleteByName(named, flags, terminal)
  throw wrongUsage(
    'expected a deletion link (in quotes, for the shell), the address of a paste or short link, or its name or id',
  )
}

/** Deletes one item. */
export const deleteItem: ClientCommand = async ([raw = ''], flags, terminal) => {
  const { answer, what } = await eraseVersion(raw, flags, terminal)
  if (flags.json) terminal.printJson(answer)
  else terminal.printError(`deleted${what}`)
  return 0
}
