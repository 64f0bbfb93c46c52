// Runs the process and contract tests, those that import nothing from src or views, once more against the sources, as
// `npm start` runs them. What a browser shows is the same from both.
import { Glob } from 'bun'
import { runTests } from './run-tests.ts'

const files = [...new Glob('test/**/*.test.ts').scanSync()]
  .filter((file) => !file.startsWith('test/browser/'))
  .sort()
const texts = await Promise.all(files.map((file) => Bun.file(file).text()))
const blackBox = files.filter((_, at) => !/from '\.\.\/\.\.\/(src|views|scripts)\//.test(texts[at] ?? ''))

const { SHORTCRUST_TARGET: _, ...env } = process.env
process.exit(
  await runTests(
    blackBox.map((file) => `./${file}`),
    env,
  ),
)
