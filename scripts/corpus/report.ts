import { detectLanguage, languageOfContent } from '../../src/highlight/languages/detect/detect-language.ts'
import { circumstances, facts, sentences, tableRows, withSection } from '../measure/report.ts'
import type { Listed } from './files.ts'
import { packages } from './packages.ts'
import { type Sample, samplesOf } from './samples.ts'

/** How the detection does on some samples. */
type Score = {
  texts: number
  /** A language was said, and it is another one. */
  wrong: number
  /** Texts that have a language, and those for which one was said. */
  withLanguage: number
  answered: number
}

type Told = { truth: string; said: string }

/** What the content alone says: names would make it too easy. */
const tell = (samples: readonly Sample[]): Told[] =>
  samples.map(({ text, language }) => ({ truth: language, said: languageOfContent(text) }))

export const scoreOf = (told: readonly Told[]): Score => {
  const withLanguage = told.filter(({ truth }) => truth !== 'text')
  return {
    texts: told.length,
    wrong: told.filter(({ truth, said }) => said !== 'text' && said !== truth).length,
    withLanguage: withLanguage.length,
    answered: withLanguage.filter(({ said }) => said !== 'text').length,
  }
}

/** The mistakes, the most frequent first. */
export const mistakesOf = (told: readonly Told[]) => {
  const counts = new Map<string, number>()
  for (const { truth, said } of told)
    if (said !== 'text' && said !== truth) {
      const mistake = `${truth} → ${said}`
      counts.set(mistake, (counts.get(mistake) ?? 0) + 1)
    }
  return [...counts].sort((a, b) => b[1] - a[1])
}

const rounds = 21

/** Milliseconds of the median of several rounds. */
const medianOf = (text: string) => {
  const times = Array.from({ length: rounds }, () => {
    const began = performance.now()
    detectLanguage(text)
    return performance.now() - began
  })
  return times.sort((a, b) => a - b)[(rounds - 1) / 2] as number
}

const size = 64 * 1024
const filled = (part: string) => part.repeat(Math.ceil(size / part.length)).slice(0, size)

/** Texts of 64 KiB that are made to be slow, by name. */
export const hostileTexts: Readonly<Record<string, string>> = {
  'one word': filled('a'),
  'digits alone': filled('1'),
  'brackets alone': filled('['),
  'braces alone': filled('{'),
  'quotation marks alone': filled('"'),
  'blanks alone': filled(' '),
  'empty lines': filled('\n'),
  'commas alone': filled(','),
  'stars alone': filled('*'),
  'half a modeline, again and again': filled('-*- vim:'),
  'halves of JSON': filled('{"a":['),
  'JSON lines that end in the middle': filled('{"a":1}\n{"a":'),
  'a list of numbers': `[${filled('1,').slice(0, size - 3)}1]`,
  'a list of numbers with a wrong end': `[${filled('1,').slice(0, size - 3)}x]`,
  'JSON lines with a wrong end': `${filled('{"a":1}\n').slice(0, size - 4)}x\n`,
  'comments before a list': `${filled('//\n').slice(0, size - 4)}\n[1]`,
  'lists with a comma at the end': `[${filled('[1,],').slice(0, size - 2)}]`,
  'nested lists': '['.repeat(size / 2) + ']'.repeat(size / 2),
  'cells with open quotation marks': filled('"a,\n'),
  'rows of one letter': filled('a,b\r\n'),
  'halves of escape sequences': filled('\x1b['),
  'halves of times': filled('[ 2024-01-01T'),
  'halves of hunks': filled('@@ -1\n--- \n+++ \n'),
  'lines of tags': filled('<div a\n<p x\n'),
  'rows of Markdown': filled('| - |\n'),
  'halves of a mount': filled('/dev/a / ext4 x 0 \n'),
  'long lines of words': filled(`${'x '.repeat(250)}\n`),
  'letters beyond ASCII': filled('é'),
  emoji: filled('😀'),
}

/** 64 KiB of each language, by its name, of files that have no `#!`. */
const longTexts = (samples: readonly Sample[]) => {
  const byLanguage = Map.groupBy(samples, ({ language }) => language)
  return [...byLanguage].map(([language, list]) => {
    const all = list.map(({ text }) => text.replace(/^#!.*\n/, '')).join('\n')
    return [language, all.repeat(Math.ceil(size / all.length)).slice(0, size)] as const
  })
}

/** Milliseconds for 64 KiB, by name: of each language, and of texts that are made to be slow. */
const timesOf = (samples: readonly Sample[]) => {
  const [usual, hostile] = [longTexts(samples), Object.entries(hostileTexts)]
  // The first round lets the machine compile what is used often.
  for (const [, text] of [...usual, ...hostile]) medianOf(text)
  const measured = (texts: readonly (readonly [string, string])[]) =>
    texts.map(([name, text]) => ({ name, ms: medianOf(text) })).sort((a, b) => b.ms - a.ms)
  return { usual: measured(usual), hostile: measured(hostile) }
}

const document = 'docs/detection.md'

const share = (part: number, whole: number) => (whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`)
const wrongOf = ({ wrong, texts }: Score) => share(wrong, texts)
const answeredOf = ({ answered, withLanguage }: Score) => share(answered, withLanguage)

type Parts = { files: Told[]; snippets: Told[] }

const summary = ({ files, snippets }: Parts) => [
  '| held-out texts | number | wrong | target | answered | target |',
  '|---|---|---|---|---|---|',
  ...tableRows(
    Object.entries({ 'whole files': files, 'snippets of 5 to 200 lines': snippets }).map(([name, told]) => {
      const score = scoreOf(told)
      return [name, told.length, `**${wrongOf(score)}**`, '≤ 3 %', `**${answeredOf(score)}**`, '≥ 75 %']
    }),
  ),
]

const byLanguage = ({ files, snippets }: Parts) => {
  const languages = [...new Set(files.map(({ truth }) => truth))].sort()
  const cells = (told: readonly Told[], language: string) => {
    const score = scoreOf(told.filter(({ truth }) => truth === language))
    return [score.texts, answeredOf(score) || '–', score.wrong]
  }
  return [
    '| language | files | answered | wrong | snippets | answered | wrong |',
    '|---|---|---|---|---|---|---|',
    ...tableRows(languages.map((one) => [one, ...cells(files, one), ...cells(snippets, one)])),
  ]
}

const mistakes = (told: readonly Told[]) =>
  mistakesOf(told)
    .map(([mistake, count]) => `${mistake} ${count}`)
    .join(', ')

const times = (samples: readonly Sample[]) => {
  const { usual, hostile } = timesOf(samples)
  const median = usual[Math.floor(usual.length / 2)]?.ms ?? 0
  const [slowest, worst] = [usual[0], hostile[0]]
  const said = [
    `64 KiB take **${slowest?.ms.toFixed(2)} ms** (target 2 ms): the slowest language, ${slowest?.name}, as the median of 21 rounds.`,
    `The median of the languages is ${median.toFixed(2)} ms.`,
    `Of ${hostile.length} texts made to be slow, "${worst?.name}" takes the longest with ${worst?.ms.toFixed(2)} ms.`,
  ]
  return sentences(said.join(' '))
}

/** Measures what the detection says to packages that it never learnt from, and writes it into the docs. */
export const report = async (listed: readonly Listed[]) => {
  const samples = samplesOf(listed, 1).filter(({ isHeldOut }) => isHeldOut)
  const [files, snippets] = [false, true].map((isSnippet) =>
    tell(samples.filter((sample) => sample.isSnippet === isSnippet)),
  ) as [Told[], Told[]]
  const parts = { files, snippets }
  const languages = new Set(listed.map(({ language }) => language)).size
  const heldOut = packages.filter(({ isHeldOut }) => isHeldOut).length
  const corpus = `${listed.length} files in ${languages} languages from ${packages.length} packages, ${heldOut} of them held out.`
  const section = [
    ...sentences(`${circumstances(facts())}. The corpus: ${corpus}`),
    '',
    ...summary(parts),
    '',
    ...times(samples),
    '',
    ...byLanguage(parts),
    '',
    ...sentences(`Mistakes with whole files: ${mistakes(files)}.`),
    '',
    ...sentences(`Mistakes with snippets: ${mistakes(snippets)}.`),
  ].join('\n')
  await Bun.write(document, withSection(document, 'figures', section))
  console.log(section)
}
