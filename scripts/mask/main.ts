// `bun scripts/mask/main.ts [FOLDER...]`: how many secrets of the corpus are found, and how many hits the sources in
// these folders have. Every hit counts as false, also the address of an author: the figure is an upper bound.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findSecrets } from '../../src/mask/mask.ts'
import { repository } from '../../test/support/process.ts'
import { corpusOf, recallOf } from './corpus.ts'

const mostBytes = 1024 ** 2
/** Not written by people: bundles, maps and binary files. */
const isMade = (path: string) =>
  /\.(?:min\.js|map|svg|png|jpe?g|gif|ico|woff2?|ttf|eot|wasm|gz|xz|zip|mo|pyc|so|a|o|node|pdf|jar|class|exe|dll)$/i.test(
    path,
  )

/** A text of a file that a paste could be; `undefined` for others. */
const textOf = (path: string) => {
  try {
    const { size } = statSync(path)
    if (size === 0 || size > mostBytes) return undefined
    const bytes = readFileSync(path)
    return bytes.includes(0) ? undefined : bytes.toString()
  } catch {
    return undefined
  }
}

type Hits = {
  folder: string
  files: number
  lines: number
  kinds: Map<string, number>
  shown: string[]
}

/** What is found in all sources of a folder. @param isShown true for kinds whose places are listed */
const hitsIn = (folder: string, isShown: (kind: string) => boolean): Hits => {
  const hits: Hits = { folder, files: 0, lines: 0, kinds: new Map(), shown: [] }
  for (const name of new Bun.Glob('**/*').scanSync({ cwd: folder, onlyFiles: true })) {
    const text = isMade(name) ? undefined : textOf(join(folder, name))
    if (text === undefined) continue
    hits.files++
    hits.lines += text.split('\n').length
    for (const { kind, line, value } of findSecrets(text)) {
      hits.kinds.set(kind, (hits.kinds.get(kind) ?? 0) + 1)
      if (isShown(kind))
        hits.shown.push(`${kind}\t${name}:${line}\t${value.slice(0, 60).replaceAll('\n', '⏎')}`)
    }
  }
  return hits
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { show: { type: 'string', multiple: true, default: [] } },
})

const perThousand = (count: number, lines: number) => ((1000 * count) / Math.max(1, lines)).toFixed(3)
const countOf = (kinds: Hits['kinds'], isCounted = (_: string) => true) =>
  [...kinds].reduce((sum, [kind, count]) => sum + (isCounted(kind) ? count : 0), 0)

for (const seed of [1, 2, 3, 4, 5]) {
  const corpus = corpusOf(seed)
  const { share, missed } = recallOf(corpus)
  const kinds = new Set(corpus.map(({ kind }) => kind)).size
  console.log(
    `seed ${seed}: ${corpus.length - missed.length} of ${corpus.length} secrets of ${kinds} kinds, ${(100 * share).toFixed(1)} %`,
  )
}

const folders = positionals.length > 0 ? positionals : [join(repository, 'node_modules')]
for (const folder of folders) {
  const { files, lines, kinds, shown } = hitsIn(
    folder,
    (kind) => values.show.includes(kind) || values.show.includes('all'),
  )
  for (const line of shown) console.log(line)
  const all = countOf(kinds)
  const others = countOf(kinds, (kind) => kind !== 'email')
  console.log(
    `${folder}: ${files} files, ${lines} lines; ${all} hits, ${perThousand(all, lines)} per 1,000 lines; ` +
      `without e-mail addresses ${others}, ${perThousand(others, lines)}`,
  )
  console.log(
    [...kinds]
      .sort(([, a], [, b]) => b - a)
      .map(([kind, count]) => `  ${kind} ${count}`)
      .join('\n'),
  )
}
