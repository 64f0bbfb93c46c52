import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { version } from '../../package.json' with { type: 'json' }
import { commitOf } from '../../src/cli/server/commit.ts'
import { repository } from '../../test/support/process.ts'

/** On what, of what and when something was measured. */
export const facts = () => ({
  date: new Date().toISOString(),
  machine: {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
    kernel: release(),
  },
  versions: { shortcrust: version, commit: commitOf(repository), bun: Bun.version },
})
export type Facts = ReturnType<typeof facts>

/** The same in a sentence. */
export const circumstances = ({ date, machine, versions }: Facts) =>
  `Measured on ${date.slice(0, 10)} on ${machine.cores} cores of ${machine.cpu}, ${Math.round(machine.memoryBytes / 1024 ** 3)} GiB, Linux ${machine.kernel}: Shortcrust ${versions.shortcrust} (${versions.commit}), Bun ${versions.bun}`

/** Rows in columns, for a terminal. @param rightAligned the columns of numbers */
export const inColumns = (rows: readonly (readonly string[])[], rightAligned: readonly number[]) => {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const pad = (cell: string, at: number) =>
    rightAligned.includes(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')
}

/** Rows of a table in Markdown. */
export const tableRows = (rows: readonly (readonly (string | number)[])[]) =>
  rows.map((cells) => `| ${cells.join(' | ')} |`)

/** Text in lines of at most 118 columns, the further ones indented. */
export const sentences = (text: string, indent = '') => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined) lines.push(word)
    else if (`${last} ${word}`.length > 118) lines.push(indent + word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

/** Puts a section between the markers of a document of the repository. @throws when it has none */
export const withSection = (
  file: string,
  marker: string,
  section: string,
  document = readFileSync(join(repository, file), 'utf8'),
) => {
  const [begin, end] = [`<!-- ${marker} -->`, `<!-- /${marker} -->`]
  const place = new RegExp(`${begin}[\\s\\S]*?${end}`)
  if (!place.test(document)) throw new Error(`${file} has no ${begin} … ${end}`)
  return document.replace(place, () => `${begin}\n${section}\n${end}`)
}

/**
 * Runs `npm run TOOL:report -- FILE.json`: writes documents from the output of `npm run TOOL -- --json`.
 * @param documentsOf from the JSON: path in the repository → contents
 */
export const writeReport = (tool: string, documentsOf: (json: string) => Record<string, string>) => {
  const [file, ...more] = process.argv.slice(2)
  if (file === undefined || more.length) {
    console.error(`usage: npm run ${tool}:report -- FILE.json`)
    process.exit(2)
  }
  const documents = documentsOf(readFileSync(file, 'utf8'))
  for (const [path, text] of Object.entries(documents)) writeFileSync(join(repository, path), text)
}
