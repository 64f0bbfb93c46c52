import { settings } from '../settings/config.ts'
import { examples } from './examples.ts'
import type { Flag } from './flags.ts'
import { commands, flagsOfCommand, usageOf } from './list.ts'

const rowOf = ({ name, short, value, variable, doc }: Flag) => [
  `${short === undefined ? '' : `-${short}, `}--${name} ${value ?? ''}`.trimEnd(),
  variable ?? '',
  doc,
]

/** Settings without a flag. */
const variableRows = () =>
  Object.values(settings)
    .filter(({ flag }) => flag === undefined)
    .map(({ variable, doc }) => ['', variable, doc])

const settingRows = (name: string) => [...flagsOfCommand(name).map(rowOf), ...variableRows()]

const table = (lines: readonly (readonly string[])[]) => {
  const widths = [0, 1].map((column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  return lines.map((line) => {
    const cells = line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).filter((cell) => cell !== '')
    return `  ${cells.join('  ')}`.trimEnd()
  })
}

const variables =
  'Each setting is a flag or a variable, flag first; each variable also as NAME_FILE, the file that holds it.'

/** The text of `--help`; the settings come from `config.ts`. */
export const help = () =>
  [
    'Shortcrust: pastes and short links from one executable',
    '',
    'usage: shortcrust [COMMAND] [OPTION VALUE ...], where COMMAND is serve when left out',
    '',
    ...table(Object.entries(commands).map(([name, { doc }]) => [usageOf(name), doc])),
    '  shortcrust COMMAND --help',
    '  shortcrust --help | --version',
    '',
    `The settings of the server. ${variables}`,
    '',
    ...table(settingRows('serve')),
  ].join('\n')

/** The text of `COMMAND --help`: usage, flags, examples. */
export const commandHelp = (name: string) => {
  const rows = name === 'serve' ? settingRows(name) : flagsOfCommand(name).map(rowOf)
  const hasVariables = rows.some(([, variable]) => variable !== '')
  return [
    `usage: ${usageOf(name)}`,
    '',
    `  ${commands[name]?.doc}`,
    ...(rows.length ? ['', ...table(rows)] : []),
    '',
    'examples:',
    ...(examples[name] ?? []).map((line) => `  ${line}`),
    ...(hasVariables ? ['', variables] : []),
  ].join('\n')
}
