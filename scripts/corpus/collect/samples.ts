import { join } from 'node:path'
import { folderOf } from './fetch.ts'
import { hashOf, type Listed, readText } from './files.ts'
import { jsonLines, madeLogs, tabbed } from './made.ts'
import { keyOf, packages } from './packages.ts'
import { snippetsOf } from './snippets.ts'

/** A text with the language that it has for certain. */
export type Sample = {
  package: string
  path: string
  language: string
  isHeldOut: boolean
  isSnippet: boolean
  text: string
}

export const listFile = 'scripts/corpus/list.tsv'
const columns = ['package', 'path', 'language', 'hash'] as const

/** One line per file, after a line with the names of the columns. */
export const listText = (listed: readonly Listed[]) =>
  [columns, ...listed.map((one) => columns.map((name) => one[name]))]
    .map((row) => `${row.join('\t')}\n`)
    .join('')

export const readList = async (): Promise<Listed[]> => {
  const [, ...lines] = (await Bun.file(listFile).text()).trimEnd().split('\n')
  return lines.map((line) => {
    const [one = '', path = '', language = '', hash = ''] = line.split('\t')
    return { package: one, path, language, hash }
  })
}

const byKey = new Map(packages.map((one) => [keyOf(one), one]))

/** @throws {Error} for a file that is not the one of the list */
const textOf = ({ package: name, path, hash }: Listed) => {
  const one = byKey.get(name)
  const text = one && readText(join(folderOf(one), path))
  if (text === undefined || hashOf(text) !== hash)
    throw new Error(`${name} ${path} is not the file of the list`)
  return { text, isHeldOut: one?.isHeldOut ?? false }
}

/** PEM has no grammar: its language is `text`. */
const named = (language: string) => (language === 'pem' ? 'text' : language)

type Whole = Omit<Sample, 'isSnippet'> & { hash: string }

const wholes = (listed: readonly Listed[]): Whole[] => {
  const files = listed.map((one) => ({ ...one, ...textOf(one) }))
  // Hardly any package has one, so those with commas are written with tabs and as lines of JSON as well.
  const tables = files
    .filter(({ language }) => language === 'csv')
    .flatMap((one) => [
      { ...one, path: `${one.path} with tabs`, language: 'tsv', text: tabbed(one.text) },
      { ...one, path: `${one.path} as JSON`, language: 'jsonl', text: jsonLines(one.text) },
    ])
    .filter(({ text }) => text.trim().length >= 40)
  const logs = madeLogs().map((one) => ({ ...one, hash: hashOf(one.path) }))
  return [...files, ...tables, ...logs]
}

/** Each file, and this many snippets of it. */
export const samplesOf = (listed: readonly Listed[], snippets: number): Sample[] =>
  wholes(listed).flatMap(({ hash, ...one }) => {
    const parts = snippetsOf(one.text, hash, snippets)
    return [{ ...one, isSnippet: false }, ...parts.map((text) => ({ ...one, text, isSnippet: true }))].map(
      (sample) => ({ ...sample, language: named(sample.language) }),
    )
  })
