import { createCollector } from '../../collector.ts'
import { grepProblem, parseLineRange, partOf, rangeRule, type TextPart } from '../../items/text/text-part.ts'
import { jsonLine } from '../../output.ts'
import { toNewFile } from '../client/files.ts'
import {
  findNamed,
  itemNamed,
  itemsOfKey,
  maxReplyBytes,
  type Named,
  type OwnItem,
  type Plural,
  singularOf,
  stillThere,
  versionOfItem,
} from '../client/items.ts'
import { type Target, targetOf } from '../client/login.ts'
import { Failure, foreignServer, parseReply, send, wrongUsage } from '../client/send.ts'
import { type ClientCommand, type ClientFlags, plural, type Terminal } from '../terminal.ts'

/** @throws {Failure} for anything but a number from 1 */
export const versionNumber = (raw: string, flag: string) => {
  if (/^[1-9]\d{0,8}$/.test(raw)) return Number(raw)
  throw wrongUsage(
    `--${flag}: expected the number of a version, as shortcrust versions shows it, not "${raw}"`,
  )
}

/** The text of a paste, or the target of a link with a line end. @throws {Failure} for a burn-after-reading paste */
export const contentOf = (plural: Plural, { text, url, pasteUrl }: OwnItem) => {
  if (plural === 'links') return `${url}\n`
  if (typeof text === 'string') return text
  throw new Failure(`this paste burns after reading, and each read counts: open ${pasteUrl}`, 1)
}

/** The part of a text that the flags ask for. @throws {Failure} */
const partOfFlags = ({ lines: range, grep }: ClientFlags): TextPart | undefined => {
  const lines = range === undefined ? undefined : parseLineRange(range)
  if (range !== undefined && !lines) throw wrongUsage(`--lines: ${rangeRule}`)
  const problem = grep === undefined ? undefined : grepProblem(grep)
  if (problem !== undefined) throw wrongUsage(`--grep: ${problem}`)
  return lines || grep !== undefined ? { lines, grep } : undefined
}

/** Prints what an item of the key holds, byte for byte; it counts as no read and no visit. */
export const getItem: ClientCommand = async ([raw = ''], flags, terminal) => {
  const version = flags.version === undefined ? undefined : versionNumber(flags.version, 'version')
  const part = partOfFlags(flags)
  const named = itemNamed(raw)
  const target = await targetOf(flags, terminal)
  const { plural, item } = await findNamed(target, named)
  const wanted = version === undefined ? item : await versionOfItem(target, plural, item.id, version)
  if (part && plural === 'links') throw wrongUsage('--lines and --grep are for pastes; this is a short link')
  const whole = contentOf(plural, wanted)
  const content = part ? [...partOf(whole, part)].join('') : whole
  if (flags.output !== undefined) await toNewFile(flags.output, terminal.now(), (append) => append(content))
  else await terminal.printBytes(Buffer.from(content))
  await terminal.written()
  return 0
}

/** What opens an address in the browser of the user. */
const openerOf = ({ env, platform }: Terminal) => {
  if (env.BROWSER) return env.BROWSER
  if (platform === 'win32') return 'start ""'
  return platform === 'darwin' ? 'open' : 'xdg-open'
}

/** Opens an item of the key in a browser; the preview of a short link, for following it is a visit. */
export const openItem: ClientCommand = async ([raw = ''], flags, terminal) => {
  const named = itemNamed(raw)
  const { plural, address } = await findNamed(await targetOf(flags, terminal), named)
  const page = plural === 'links' ? `${address}+` : address
  const opener = openerOf(terminal)
  const code = await terminal.openWith(opener, page)
  if (code === 0) return 0
  throw new Failure(`"${opener}" could not open ${page} (${code}); name a browser in BROWSER`, 1)
}

type Write = (item: object) => Promise<void>

/** Collects garbage after this much text. Without it, 190 MB of pastes took 125 MB of memory; with it, 76 MB. */
const charsPerCollection = 2 * 1024 ** 2

/** Writes one line per item: pastes with their text, then links, newest first. @returns the number of items */
const writeAll = async (target: Target, write: Write, { progress }: Terminal) => {
  let count = 0
  const { made } = createCollector(charsPerCollection)
  for (const kind of ['pastes', 'links'] as const)
    for await (const item of itemsOfKey(target, kind)) {
      const whole = kind === 'pastes' ? await stillThere(target, kind, item.id) : item
      if (!whole) continue
      await write({ type: singularOf[kind], ...whole })
      progress(`exported ${plural(++count, 'item')}`)
      made(typeof whole.text === 'string' ? whole.text.length : 0)
    }
  progress('')
  return count
}

/** Writes everything that the key created as JSON lines. */
export const exportItems: ClientCommand = async ([file = '-'], flags, terminal) => {
  const target = await targetOf(flags, terminal)
  const work = (write: Write) => writeAll(target, write, terminal)
  const count = await (file === '-'
    ? work(terminal.printJson)
    : toNewFile(file, terminal.now(), (append) => work((item) => append(`${jsonLine(item)}\n`))))
  await terminal.written()
  terminal.printError(`${plural(count, 'item')} exported`)
  return 0
}

/** An item that this user may read: its address, its title, and its text or target. */
export type Readable = { name: string; about: string; text: string }

type PublicPaste = { id: string; title: string; text: string }

const isPublicPaste = (value: unknown): value is PublicPaste => {
  const { id, title, text } = (value ?? {}) as Partial<PublicPaste>
  return typeof id === 'string' && typeof title === 'string' && typeof text === 'string'
}

/** A paste as anyone reads it: the key is not sent. */
const readPublic = async ({ server, timeoutMs }: Target, name: string): Promise<Readable> => {
  const path = `/p/${name.toLowerCase()}`
  const reply = await send({ server, timeoutMs, method: 'GET', path, maxReplyBytes })
  if (reply.status !== 200) parseReply(reply, server)
  if (!isPublicPaste(reply.body)) throw foreignServer(server, 'no paste')
  return { name: `${server}${path}`, about: reply.body.title, text: reply.body.text }
}

const isNotOwn = (error: unknown) =>
  error instanceof Failure &&
  error.exitCode === 1 &&
  (error.reply.status === 404 || error.reply.status === undefined)

/** @returns `undefined` if this key made no such item, and somebody else may have made a paste */
const findOwn = async (target: Target, named: Named) => {
  try {
    return await findNamed(target, named)
  } catch (error) {
    if (named.page?.plural === 'links' || !isNotOwn(error)) throw error
    return undefined
  }
}

/** An item of the key, or else a paste that somebody else made; that read counts. @throws {Failure} */
export const findReadable = async (target: Target, named: Named): Promise<Readable> => {
  const own = await findOwn(target, named)
  if (!own) return readPublic(target, named.name)
  const { plural, item, address } = own
  return { name: address, about: String(item.title ?? ''), text: contentOf(plural, item) }
}
