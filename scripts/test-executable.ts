// Runs the black-box tests, those that import nothing from src or views, against dist/shortcrust.
import { Glob } from 'bun'

const files = [...new Glob('test/*.test.ts').scanSync()].sort()
const texts = await Promise.all(files.map((file) => Bun.file(file).text()))
const blackBox = files.filter((_, at) => !/from '\.\.\/(src|views|scripts)\//.test(texts[at] ?? ''))

const { exitCode } = Bun.spawnSync([process.execPath, 'test', ...blackBox.map((file) => `./${file}`)], {
  env: { ...process.env, SHORTCRUST_TARGET: 'dist/shortcrust' },
  stdio: ['ignore', 'inherit', 'inherit'],
})
process.exit(exitCode)
