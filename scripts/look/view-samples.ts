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
export const viewSamples = {
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
