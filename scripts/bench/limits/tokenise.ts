// Bare `codeToTokensBase` with one theme: for each text its parent sends, answers how many milliseconds it took.
import { createBundledHighlighter } from 'shiki/core'
import { createOnigurumaEngine } from 'shiki/engine/oniguruma'
import { bundledLanguages } from 'shiki/langs'
import { bundledThemes } from 'shiki/themes'

const theme = 'github-light-default'
const createHighlighter = createBundledHighlighter({
  langs: bundledLanguages,
  themes: bundledThemes,
  engine: () => createOnigurumaEngine(import('shiki/wasm')),
})
const highlighter = await createHighlighter({ themes: [theme], langs: ['typescript'] })

process.on('message', (text: string) => {
  const start = performance.now()
  // As in src/highlight/child/child.ts, or the two would not do the same work.
  highlighter.codeToTokensBase(text, { lang: 'typescript', theme, tokenizeMaxLineLength: 1000 })
  process.send?.(performance.now() - start)
})
process.on('disconnect', () => process.exit(0))
