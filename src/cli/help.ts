import { settings } from '../settings/config.ts'
import { commands, examples, type Flag, flagsOfCommand, usageOf } from './list.ts'

/** The width of the text where the terminal is not narrower. */
const widest = 80

/** Breaks a text between words. */
const wrapped = (text: string, width: number) => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = [lines.at(-1), word].filter((part) => part !== undefined).join(' ')
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

type Rows = readonly (readonly [name: string, doc: string])[]

/** Longer names have a line of their own. */
const widestName = 24

/** Below this width, each text is on the line below its name. */
const leastDoc = 30

const indent = 2

/** Where the second column of a table begins. */
const columnOf = (rows: Rows) =>
  indent + Math.max(0, ...rows.map(([name]) => name.length).filter((length) => length <= widestName)) + 2

/** Names and what they mean, in two columns. */
const table = (rows: Rows, width: number, column = columnOf(rows)) => {
  const isNarrow = width - column < leastDoc
  // Deeper than a name without a letter, which is in one column with those that have one.
  const at = isNarrow ? 4 * indent : column
  return rows.flatMap(([name, doc]) => {
    const lines = wrapped(doc, width - at).map((line) => ' '.repeat(at) + line)
    const head = ' '.repeat(indent) + name
    if (isNarrow || name.length > widestName) return [head, ...lines]
    return [head.padEnd(column) + lines[0]?.trimStart(), ...lines.slice(1)]
  })
}

const overview = Object.entries(commands).map(([name, { group, briefly, usage, doc }]) => ({
  group,
  row: [`${name} ${briefly ?? usage}`.trimEnd(), doc] as const,
}))

const itemNote = 'ITEM is a link, an id or a name.'

/** The text of `--help`. */
export const help = (columns = widest) => {
  const width = Math.min(widest, columns)
  const column = columnOf(overview.map(({ row }) => row))
  const groups = Map.groupBy(overview, ({ group }) => group)
  const members = (group: typeof overview) => group.map(({ row }) => row)
  return [
    ...wrapped('Shortcrust: pastes and short links from one executable', width),
    '',
    'Usage: shortcrust COMMAND [OPTIONS]',
    ...[...groups].flatMap(([name, group]) => ['', name, ...table(members(group), width, column)]),
    '',
    ...wrapped(itemNote, width),
    ...wrapped('shortcrust COMMAND --help shows the options of a command,', width),
    ...wrapped('shortcrust serve --help the settings of the server.', width),
  ].join('\n')
}

const flagRow = ({ name, short, value, variable, doc }: Flag, hasShorts: boolean) => {
  const letter = short === undefined ? (hasShorts ? '    ' : '') : `-${short}, `
  return [
    `${letter}--${name} ${value ?? ''}`.trimEnd(),
    variable === undefined ? doc : `${doc} [${variable}]`,
  ] as const
}

/** Settings without a flag. */
const variableRows = () =>
  Object.values(settings).flatMap(({ flag, variable, doc }) =>
    flag === undefined ? [[variable, doc] as const] : [],
  )

const variableNote =
  'A name in brackets is the variable for the same; the flag wins. Each variable also works as NAME_FILE, a file that holds the value.'

/** The text of `COMMAND --help`: usage, flags, examples. */
export const commandHelp = (name: string, columns = widest) => {
  const width = Math.min(widest, columns)
  const flags = flagsOfCommand(name)
  const hasShorts = flags.some(({ short }) => short !== undefined)
  const rows = [...flags.map((flag) => flagRow(flag, hasShorts)), ...(name === 'serve' ? variableRows() : [])]
  const { usage, doc } = commands[name] ?? { usage: '', doc: '' }
  const notes = [
    ...(usage.includes('ITEM') ? [itemNote] : []),
    ...(flags.some(({ variable }) => variable !== undefined) ? [variableNote] : []),
  ]
  return [
    `Usage: ${usageOf(name)}${flags.length > 0 ? ' [OPTIONS]' : ''}`,
    '',
    ...wrapped(`${doc[0]?.toUpperCase()}${doc.slice(1)}.`, width),
    ...(rows.length > 0 ? ['', 'Options', ...table(rows, width)] : []),
    '',
    'Examples',
    ...(examples[name] ?? []).map((line) => `  ${line}`),
    ...notes.flatMap((note) => ['', ...wrapped(note, width)]),
  ].join('\n')
}
