import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSystemError } from '../../errors.ts'
import { fileNameOf } from '../../highlight/languages/file-names.ts'
import { Failure, wrongUsage } from '../client/failures.ts'
import { changeItem, type Item, itemToChange, type Plural } from '../client/items.ts'
import { findNamed, itemNamed, kindOf } from '../client/named-item.ts'
import { waitWords, withinRate } from '../client/rate-wait.ts'
import { targetOf } from '../client/target.ts'
import { contentOf } from '../items/get.ts'
import { reasonOf } from '../system-errors.ts'
import type { ClientCommand, Terminal } from '../terminal.ts'

/** The editor of the user, as other programs find it. */
const editorOf = ({ env, platform }: Terminal) =>
  env.VISUAL || env.EDITOR || (platform === 'win32' ? 'notepad' : 'vi')

/** The editor finds the language by the name. */
const fileNameFor = (plural: Plural, { id, title, language }: Item) =>
  plural === 'links' ? `${id}.txt` : fileNameOf(id, String(title ?? ''), String(language ?? 'text'))

const bodyOf = (plural: Plural, text: string) => (plural === 'links' ? { url: text.trim() } : { text })

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
      const body = bodyOf(plural, text)
      const attempt = () => changeItem(target, plural, item.id, body, tag)
      const onWait = (seconds: number) => terminal.printError(waitWords(seconds))
      const changed = await withinRate(attempt, { flags, terminal, onWait }).catch(keptIn(file))
      terminal.printError(`changed ${kindOf(found)} ${found.address}, version ${changed.version}`)
    }
    await rm(folder, { recursive: true })
    return 0
  } catch (error) {
    if (isSystemError(error)) throw wrongUsage(`cannot use a temporary file: ${reasonOf(error)}`)
    throw error
  }
}
