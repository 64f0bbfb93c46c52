import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../../test/support/process.ts'

/** Puts a section between the markers of a document. @throws when it has none */
export const withSection = (file: string, document: string, marker: string, section: string) => {
  const [begin, end] = [`<!-- ${marker} -->`, `<!-- /${marker} -->`]
  const place = new RegExp(`${begin}[\\s\\S]*?${end}`)
  if (!place.test(document)) throw new Error(`${file} has no ${begin} … ${end}`)
  return document.replace(place, () => `${begin}\n${section}\n${end}`)
}

/** The text of a file of the repository. */
export const read = (path: string) => readFileSync(join(repository, path), 'utf8')

/**
 * Runs `npm run TOOL:report -- FILE.json`: writes the documents that are made of what `npm run TOOL -- --json` wrote.
 * @param documentsOf from the JSON: path in the repository → contents
 */
export const writeReport = (tool: string, documentsOf: (json: string) => Record<string, string>) => {
  const [file, ...more] = process.argv.slice(2)
  if (file === undefined || more.length) {
    console.error(`usage: npm run ${tool}:report -- FILE.json`)
    process.exit(2)
  }
  try {
    const documents = documentsOf(readFileSync(file, 'utf8'))
    for (const [path, text] of Object.entries(documents)) writeFileSync(join(repository, path), text)
  } catch (error) {
    console.error(`${tool}:report: ${file}: ${(error as Error).message}`)
    process.exit(1)
  }
}
