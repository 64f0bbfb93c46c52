// Runs the process and contract tests, those that import nothing from src or views, against dist/shortcrust. What a
// browser shows is the same from both, so its tests run once, from source.
import { Glob } from 'bun'

const files = [...new Glob('test/*.test.ts').scanSync()].filter((file) => !file.includes('browser')).sort()
const texts = await Promise.all(files.map((file) => Bun.file(file).text()))
const blackBox = files.filter((_, at) => !/from '\.\.\/(src|views|scripts)\//.test(texts[at] ?? ''))

const { exitCode } = Bun.spawnSync([process.execPath, 'test', ...blackBox.map((file) => `./${file}`)], {
  env: { ...process.env, SHORTCRUST_TARGET: 'dist/shortcrust' },
  stdio: ['ignore', 'inherit', 'inherit'],
})
process.exit(exitCode)
