import { join } from 'node:path'
import { spawnSelf } from '../../../src/highlight/child/spawn.ts'
import { createHighlighter } from '../../../src/highlight/highlighter.ts'
import { repository } from '../../../test/support/process.ts'
import type { Bench, Figure } from '../bench.ts'
import { startWorker } from '../processes.ts'
import { typescript } from '../sample-code.ts'
import { median } from '../stats.ts'

const bytes = 100_000
const warmUps = 5

const openHighlighter = (bench: Bench) => {
  const failures: string[] = []
  const highlighter = createHighlighter({
    // A busy machine is no error: nothing is stopped here.
    ...{ waitMs: 60_000, runMs: 50_000, startMs: 50_000, maxChars: 2 * bytes },
    ...{
      idleMs: { quick: 60_000, slow: 60_000 },
      maxChildBytes: { quick: Number.POSITIVE_INFINITY, slow: Number.POSITIVE_INFINITY },
    },
    spawn: spawnSelf(join(repository, 'src/main.ts')),
    onFailure: (why) => failures.push(why),
  })
  bench.defer(highlighter.close)
  return async (text: string) => {
    const began = performance.now()
    const { lines } = await highlighter.highlight(text, 'typescript', true)
    const milliseconds = performance.now() - began
    if (!lines?.html.join('').includes('<span class=')) throw new Error(`not highlighted: ${failures}`)
    return milliseconds
  }
}

/** The product's own way, child process and messages included, against the tokeniser alone. */
export const highlightFigure: Figure = {
  name: 'highlight-100k',
  what: 'highlight 100 KB of TypeScript, warm',
  target: { atMost: 1.15 },
  unit: 'ms',
  sides: ['shortcrust', 'bare codeToTokensBase'],
  open: async (bench) => {
    const text = typescript(bytes)
    const highlight = openHighlighter(bench)
    const bare = startWorker('tokenise')
    bench.defer(bare.stop)
    for (let at = 0; at < (bench.isSmoke ? 1 : warmUps); at++) {
      await highlight(text)
      await bare.ask(text)
    }
    return {
      // Many short runs in turn: both then meet the same neighbours.
      round: async (isLimitFirst) => {
        const [product, limit]: [number[], number[]] = [[], []]
        const end = performance.now() + 2000 * bench.seconds
        do {
          if (isLimitFirst) limit.push(await bare.ask(text))
          product.push(await highlight(text))
          if (!isLimitFirst) limit.push(await bare.ask(text))
        } while (performance.now() < end)
        return { product: median(product), limit: median(limit) }
      },
    }
  },
}
