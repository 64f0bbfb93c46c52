// Runs the process and contract tests, those that import nothing from src or views, once more against the sources, as
// `npm start` runs them. What a browser shows is the same from both.
import { Glob } from 'bun'

const files = [...new Glob('test/*.test.ts').scanSync()].filter((file) => !file.includes('browser')).sort()
const texts = await Promise.all(files.map((file) => Bun.file(file).text()))
const blackBox = files.filter((_, at) => !/from '\.\.\/(src|views|scripts)\//.test(texts[at] ?? ''))

const { SHORTCRUST_TARGET: _, ...env } = process.env
const { exitCode } = Bun.spawnSync([process.execPath, 'test', ...blackBox.map((file) => `./${file}`)], {
  env,
  stdio: ['ignore', 'inherit', 'inherit'],
})
process.exit(exitCode)
