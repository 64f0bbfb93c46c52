import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { folderOf } from './fetch.ts'
import { checksum, keyOf, type Package, packages } from './packages.ts'

/** shiki language id → endings that mean it for certain in the packages of the corpus. */
const endings: Readonly<Record<string, string>> = {
  c: 'c h',
  cpp: 'cpp cc cxx hpp hh',
  css: 'css',
  csv: 'csv',
  diff: 'diff patch',
  go: 'go',
  html: 'html htm',
  ini: 'ini cfg desktop editorconfig gitmodules coveragerc pylintrc flake8',
  java: 'java',
  javascript: 'js mjs cjs',
  json: 'json',
  jsonl: 'jsonl ndjson',
  kotlin: 'kt',
  less: 'less',
  lua: 'lua',
  make: 'mk',
  markdown: 'md markdown',
  nix: 'nix',
  'objective-c': 'm mm',
  pem: 'pem',
  perl: 'pl pm',
  php: 'php',
  python: 'py pyi',
  rst: 'rst',
  ruby: 'rb rake gemspec',
  rust: 'rs',
  scss: 'scss',
  shellscript: 'sh bash',
  sql: 'sql',
  systemd: 'service timer socket mount path target slice',
  text: 'txt',
  toml: 'toml',
  tsv: 'tsv',
  typescript: 'ts mts cts',
  xml: 'xml svg xsd',
  yaml: 'yaml yml',
}
const byEnding = new Map(
  Object.entries(endings).flatMap(([language, list]) =>
    list.split(' ').map((ending) => [ending, language] as const),
  ),
)
const byName = new Map([
  ...['Makefile', 'GNUmakefile', 'makefile', 'Makefile.am'].map((name) => [name, 'make'] as const),
  ...['Rakefile', 'Gemfile'].map((name) => [name, 'ruby'] as const),
  ...['LICENSE', 'COPYING', 'AUTHORS', 'NEWS', 'THANKS', 'INSTALL', 'TODO'].map(
    (name) => [name, 'text'] as const,
  ),
])

const isNginx = (path: string) =>
  /nginx|gixy/.test(path) && /\.conf$|\/sites-(?:available|enabled)\/[\w.-]+$/.test(path)

/**
 * The language of a file for certain, by its name alone; unset for any other file.
 * @param path with the name of the package
 */
const trueLanguage = (path: string) => {
  const name = basename(path)
  // A patch may be named after the file that it changes.
  if (path.includes('debian/patches/')) return 'diff'
  if (isNginx(path)) return 'nginx'
  // What D-Bus starts, which is no unit.
  if (/^(?:org|com|net|fi)\.[\w.]+\.service$/.test(name)) return 'ini'
  const ending = /\.([^.]+)$/.exec(name)?.[1] ?? ''
  // `Dockerfile.mount` is no unit, but `Dockerfile.test.ts` is no Dockerfile.
  if (/^(?:Dockerfile|Containerfile)(?:\.[\w-]+)?$|\.dockerfile$/.test(name)) return 'docker'
  return byName.get(name) ?? byEnding.get(ending)
}

/** A file of the corpus. */
export type Listed = {
  package: string
  path: string
  language: string
  hash: string
  text: string
  isHeldOut: boolean
}

/** Files of one language in one package. */
const mostOfPackage = 16

/** Of one language, to learn from and to measure with. */
const mostOfLanguage = { learnt: 90, heldOut: 40 }

const maxBytes = 256 * 1024

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)

/** The text of a file, unless it is binary or too large. */
const readText = (file: string) => {
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

const checksumOf = (listed: readonly Listed[]) => {
  const lines = listed.map((one) => [one.package, one.path, one.language, one.hash].join('\t'))
  const list = ['package\tpath\tlanguage\thash', ...lines, ''].join('\n')
  return createHash('sha256').update(list).digest('hex')
}

/**
 * Takes files in a fixed random order, at most so many of a package and a language, none twice.
 * @throws {Error} if they are not those of the checksum
 */
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
    listed.push({ package: keyOf(one), path, language, hash, text, isHeldOut: one.isHeldOut })
  }
  listed.sort((a, b) => (`${a.package} ${a.path}` < `${b.package} ${b.path}` ? -1 : 1))
  const sum = checksumOf(listed)
  if (sum !== checksum)
    throw new Error(
      `the packages have other files: ${listed.length} with the checksum ${sum}. If you changed packages.ts, write it there`,
    )
  return listed
}
