import { join } from 'node:path'
import { repository } from '../../test/support/process.ts'

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

const markdown = `---
title: Notes
---

# The notes of a release

A paragraph with **strong**, *emphasised*, ~~struck~~ words and \`code in it\`, a [link](https://example.org/),
a bare address https://example.org/a?b=1, a [file beside it](docs/read.md) and a footnote[^1].

![A diagram of the parts](https://example.org/parts.png)

## What is left to do

- [x] Write the parser's tests
- [ ] Measure 1 MiB
  - with tables
  - and with quotes
- A plain item

1. First
2. Second, with \`code\`

> A quote, which says:
>
> > Nested quotes work, too.

> [!NOTE]
> An alert says what to know, with a [link](https://example.org/).

> [!WARNING]
> Another one warns of \`rm -rf\`.

<details>
<summary>What is folded</summary>

A paragraph, and

- a list

</details>

## Code

\`\`\`json
{
  "answer": 42,
  "why": "Asked of a machine that has seen a line which is longer than a phone is wide, and then some more words"
}
\`\`\`

    indented code has no colours

### A table

| Key | What it is | Bytes |
| --- | :--------: | ----: |
| \`a\` | First      |   128 |
| \`b\` | *Second*, which has a longer description | 4,096 |

<b>HTML is shown as text.</b> שלום and a zero width space: a\u200bb.

[^1]: A footnote can have *markup*, too.
`

const csvRow = (at: number) =>
  `${1000 + at},"Person ${at}",${at % 7 === 0 ? '"Two lines\nof an address"' : `Street ${at}`},${(at * 17.25).toFixed(2)},${at % 2 ? 'yes' : 'no'},2026-0${1 + (at % 9)}-1${at % 10}T08:00:00Z`

const json = JSON.stringify({
  name: 'shortcrust',
  big: 'PLACE',
  nested: { list: [1, 2.5, -3e-7, true, null], empty: {}, none: [] },
  text: 'A string with "quotes" and a line end\n, which is longer than a phone is wide, so it has to scroll or wrap',
}).replace('"PLACE"', '12345678901234567890')

const jsonLines = Array.from(
  { length: 12 },
  (_, at) =>
    `{"time":"2026-05-01T10:00:${10 + at}Z","level":"${at % 5 ? 'info' : 'warn'}","step":${at},"tags":["a","b"]}`,
)

/** Texts that have a view of their own. */
const viewSamples = {
  'markdown-notes': { title: 'notes.md', description: '', language: 'markdown', text: markdown },
  'markdown-deep': {
    title: 'Quotes in quotes',
    description: '',
    language: 'markdown',
    text: `# Quotes\n\nOne paragraph.\n\n${'>'.repeat(200)} deep\n`,
  },
  csv: {
    title: 'people.csv',
    description: '',
    language: 'csv',
    text: `id,name,address,balance,active,since\n${Array.from({ length: 120 }, (_, at) => csvRow(at)).join('\n')}\n`,
  },
  json: { title: 'package.json', description: '', language: 'json', text: json },
  'json-broken': { title: 'broken.json', description: '', language: 'json', text: '{"a": 1,\n "b" 2}\n' },
  'json-lines': {
    title: 'events.jsonl',
    description: '',
    language: 'jsonl',
    text: `${jsonLines.join('\n')}\n{not json}\n`,
  },
} as const

/** The texts that pages are shown with. */
export const samples = {
  code: {
    title: 'rate-limiter.ts',
    description: 'Each token comes back 15 s after it was taken.',
    text: code,
  },
  untitled: { title: '', description: '', language: 'text', text: 'One line, nothing else.\n' },
  long: {
    title: 'Twelve hundred lines',
    description: '',
    text: Array.from({ length: 1200 }, (_, at) => `export const value${at} = ${at} // line ${at + 1}`).join(
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
