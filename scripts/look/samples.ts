import { join } from 'node:path'
import { repository } from '../../test/support/process.ts'
import { viewSamples } from './view-samples.ts'

const esc = (codes: string, text: string) => `\x1b[${codes}m${text}\x1b[0m`
const source = (path: string) => Bun.file(join(repository, path)).text()
const code = await source('src/services/keys.ts')

const log = [
  '2026-11-22T08:14:03.120Z INFO  [main] listening on http://0.0.0.0:8080',
  '2026-11-22T08:14:07.881Z DEBUG [store] opened "/var/lib/shortcrust" in 12 ms',
  '2026-11-22T08:15:41.002Z WARN  [limiter] key "ci" has used up its limit; retry in 15 s',
  '2026-11-22T08:15:44.310Z ERROR [store] ENOSPC: no space left on device, write',
  '    at write (node:fs:1203:5)',
  '2026-11-22T08:15:44.311Z INFO  10.0.0.7 "GET /p/7y84tyt5ec HTTP/1.1" 200 4312 0.8ms',
].join('\n')

const ansi = [
  esc('1', 'npm test'),
  `${esc('32', '✓')} the token bucket ${esc('2', 'accepts no more than 3 in any 15 seconds')}`,
  `${esc('33', '!')} strace is missing; ${esc('4', 'install it')}`,
  `${esc('41;97', ' FAIL ')} ${esc('31', 'one that fails')} ${esc('7', ' inverse ')} ${esc('30;42', ' PASS ')}`,
  `${esc('38;5;208', '256 colours')} ${esc('38;2;150;80;200', 'true colour')} ${esc('3', 'italic')} ${esc('9', 'struck')}`,
  'Downloading  10%\rDownloading  55%\rDownloading 100%',
].join('\n')

const rightToLeft = [
  'שלום עולם: זו שורה בעברית (2026).',
  'مرحبا بالعالم، هذا سطر بالعربية.',
  'const greeting = "שלום" // mixed',
  'a right-to-left override: "\u202euser\u202c" and a zero width space: "a\u200bb"',
].join('\n')

/** The texts that pages are shown with. */
export const samples = {
  code: {
    title: 'rate-limiter.ts',
    description: 'Each token comes back 15 s after it was taken.',
    text: code,
  },
  untitled: { title: '', description: '', language: 'text', text: 'One line, nothing else.\n' },
  long: {
    title: 'Three thousand lines',
    description: '',
    text: Array.from({ length: 3000 }, (_, at) => `export const value${at} = ${at} // line ${at + 1}`).join(
      '\n',
    ),
  },
  log: { title: 'server.log', description: '', language: 'log', text: log },
  ansi: { title: 'Output of a test run', description: '', language: 'ansi', text: ansi },
  markdown: { title: 'README.md', description: '', language: 'markdown', text: await source('README.md') },
  'right-to-left': { title: 'שלום ‮ world', description: '', language: 'typescript', text: rightToLeft },
  'long-lines': {
    title:
      'A title so long that it does not fit into one line of a phone and hardly in one of a desk, whatever it says',
    description: `${'A description of several sentences. '.repeat(6)}\nAnd a second line.`,
    language: 'json',
    text: `{"rows":[${Array.from({ length: 60 }, (_, at) => `{"id":${at},"name":"row ${at}"}`).join(',')}]}\n{"rows":[]}\n`,
  },
  plain: {
    title: 'Plain: its highlighting takes too long',
    description: '',
    text: `${'const a = [1, 2, 3].map((b) => b * 2)\n'.repeat(26_000)}`,
  },
  cut: {
    title: 'Cut: more lines than a page can hold',
    description: '',
    language: 'text',
    text: '\n'.repeat(1_000_000),
  },
  ...viewSamples,
} as const
export type Sample = keyof typeof samples
