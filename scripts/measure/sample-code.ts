import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../../test/support/process.ts'

const files = [...new Bun.Glob('src/**/*.ts').scanSync({ cwd: repository })].sort()
const all = files
  .map((file) => readFileSync(join(repository, file), 'utf8'))
  .join('\n')
  .replaceAll(/[^ -~\n]/g, '?')

/** TypeScript of so many bytes: this program's own source, as often as it takes. */
export const typescript = (bytes: number) => all.repeat(Math.ceil(bytes / all.length)).slice(0, bytes)
