// `bun scripts/mask/main.ts [FOLDER...]`: how many secrets of the corpus are found, and how many hits the sources in
// these folders have. Every hit counts as false, also the address of an author: the figure is an upper bound.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repository } from '../../test/support/process.ts'
import { corpusOf } from './corpus.ts'
import { recallOf } from './recall.ts'
import { type Hits, hitsIn } from './sources.ts'

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
