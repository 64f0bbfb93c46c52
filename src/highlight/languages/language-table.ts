import { bundledLanguagesInfo } from 'shiki/langs'
import { endings } from './file-names.ts'
import type { Choice } from './language-search.ts'

/** shiki language id → everyday names, besides its id, aliases, name and file endings. */
export const everydayNames: Readonly<Record<string, string>> = {
  asm: 'assembler nasm',
  bat: 'dos',
  cpp: 'cplusplus cxx',
  csharp: 'dotnet c-sharp',
  fsharp: 'f-sharp',
  go: 'golang',
  ini: 'gitconfig',
  javascript: 'node nodejs ecmascript',
  jsonl: 'jsonlines',
  log: 'logs syslog',
  matlab: 'octave',
  pascal: 'delphi',
  python: 'python3 py3',
  r: 'rlang',
  shellscript: 'shell-script ksh',
  sql: 'mysql postgres postgresql psql sqlite mariadb',
  terraform: 'opentofu',
  text: 'none raw',
  typescript: 'deno',
  vb: 'vbnet vb.net',
  wasm: 'wast',
  yaml: 'kubernetes k8s compose ansible',
}

/** Languages without a grammar. */
const plainLanguages = [
  { id: 'text', name: 'Plain text', aliases: ['txt', 'plain', 'plaintext'] },
  { id: 'ansi', name: 'ANSI', aliases: [] },
]

const wordsIn = (table: Readonly<Record<string, string>>, id: string) =>
  table[id]?.toLowerCase().split(' ') ?? []

/** All languages with their words by rank: ids and aliases of shiki, name, everyday names, file endings. */
const all = [...plainLanguages, ...bundledLanguagesInfo].map(({ id, name, aliases = [] }) => ({
  id,
  name,
  ranks: [[id, ...aliases], [name.toLowerCase()], wordsIn(everydayNames, id), wordsIn(endings, id)] as const,
}))

/** A higher rank wins: `v` means V, although Verilog has such files. */
const idBySpelling = new Map<string, string>()
for (const rank of [0, 1, 2, 3] as const)
  for (const { id, ranks } of all)
    for (const word of ranks[rank]) if (!idBySpelling.has(word)) idBySpelling.set(word, id)

const wordsById = Map.groupBy(idBySpelling.keys(), (word) => idBySpelling.get(word))

const choices = all
  .map(({ id, name }): Choice => {
    const others = wordsById.get(id)?.filter((word) => word !== id && word !== name.toLowerCase())
    return { id, name, spellings: others?.join(' ') ?? '' }
  })
  .sort((a, b) => a.name.localeCompare(b.name, 'en'))

/**
 * Every language and its words. Called as a macro, when the program is transpiled or compiled: at each start it loaded
 * English collation and a closure per grammar, which only the highlighting child needs.
 */
export const languageTable = () => ({
  choices,
  idBySpelling: [...idBySpelling],
  /** Words to suggest for a typo. Endings are left out: one or two letters are near to everything. */
  suggestions: all.flatMap(({ ranks }) => ranks.slice(0, 3).flat()),
})
