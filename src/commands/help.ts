import { settings } from '../config.ts'
import { commands, usageOf } from './list.ts'

const rows = () =>
  Object.values(settings).map(({ flag, variable, doc, default: standard }) => [
    flag === undefined ? '' : `--${flag} VALUE`,
    variable,
    `${doc}${standard === '' ? '' : ` (${standard})`}`,
  ])

const table = (lines: readonly (readonly string[])[]) => {
  const widths = [0, 1].map((column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  return lines.map((line) => `  ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd())
}

/** What `--help` prints; the settings are those of `config.ts`. */
export const help = () =>
  [
    'Shortcrust: pastes and short links from one executable',
    '',
    'usage: shortcrust [COMMAND] [OPTION VALUE ...], where COMMAND is serve when left out',
    '',
    ...table(Object.entries(commands).map(([name, { doc }]) => [usageOf(name), doc])),
    '  shortcrust --help | --version',
    '',
    'Each setting is a flag or a variable, flag first; each variable also as NAME_FILE, the file that holds it.',
    '',
    ...table(rows()),
  ].join('\n')
