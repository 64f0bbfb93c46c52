import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { folderOf } from './fetch.ts'
import { trueLanguage } from './languages.ts'
import { keyOf, type Package, packages } from './packages.ts'

/** A file of the corpus, as list.tsv has it. */
export type Listed = { package: string; path: string; language: string; hash: string }

/** Files of one language in one package. */
const mostOfPackage = 16

/** Of one language, to learn from and to measure with. */
const mostOfLanguage = { learnt: 90, heldOut: 40 }

const maxBytes = 256 * 1024

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)

/** The text of a file, unless it is binary or too large. */
export const readText = (file: string) => {
  if (!statSync(file).isFile() || statSync(file).size > maxBytes) return
  const bytes = readFileSync(file)
  if (bytes.includes(0)) return
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return
  }
}

/** Minified code has lines that nobody wrote, and a file of a line or two says nothing. */
const isTypical = (text: string, language: string) => {
  const lines = text.split('\n').length
  if (lines < 3 || text.trim().length < 40) return false
  return ['json', 'jsonl', 'csv', 'tsv'].includes(language) || text.length / lines < 200
}

/** C++ packages have headers of either language under one ending. */
const isAmbiguous = (path: string, hasCpp: boolean) => path.endsWith('.h') && hasCpp

const filesOf = (one: Package) => {
  const folder = folderOf(one)
  const paths = [...new Bun.Glob('**').scanSync({ cwd: folder, dot: true, followSymlinks: false })]
  const hasCpp = paths.some((path) => /\.(cpp|cc|cxx|hpp|hh|mm)$/.test(path))
  return paths.flatMap((path) => {
    const language = isAmbiguous(path, hasCpp) ? undefined : trueLanguage(`${one.name}/${path}`)
    return language === undefined ? [] : [{ one, path, language, order: hashOf(`${keyOf(one)} ${path}`) }]
  })
}

/** Takes files in a fixed random order, at most so many of a package and a language, none twice. */
export const listFiles = (): Listed[] => {
  const candidates = packages.flatMap(filesOf).sort((a, b) => (a.order < b.order ? -1 : 1))
  const taken = new Map<string, number>()
  const hashes = new Set<string>()
  const listed: Listed[] = []
  for (const { one, path, language } of candidates) {
    const places = [`${language} ${keyOf(one)}`, `${language} ${one.isHeldOut}`] as const
    const [ofPackage, ofLanguage] = places.map((place) => taken.get(place) ?? 0) as [number, number]
    if (ofPackage >= mostOfPackage || ofLanguage >= mostOfLanguage[one.isHeldOut ? 'heldOut' : 'learnt'])
      continue
    const text = readText(join(folderOf(one), path))
    if (text === undefined || !isTypical(text, language)) continue
    const hash = hashOf(text)
    if (hashes.has(hash)) continue
    hashes.add(hash)
    for (const place of places) taken.set(place, (taken.get(place) ?? 0) + 1)
    listed.push({ package: keyOf(one), path, language, hash })
  }
  return listed.sort((a, b) => (`${a.package} ${a.path}` < `${b.package} ${b.path}` ? -1 : 1))
}
