import { circumstances, facts, sentences, withSection } from '../measure/report.ts'
import { packages } from './collect/packages.ts'
import { readList, type Sample, samplesOf } from './collect/samples.ts'
import { mistakesOf, type Score, scoreOf, type Told, tell, timesOf } from './measure.ts'

const document = 'docs/detection.md'

const share = (part: number, whole: number) => (whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`)
const wrongOf = ({ wrong, texts }: Score) => share(wrong, texts)
const answeredOf = ({ answered, withLanguage }: Score) => share(answered, withLanguage)

const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`

type Parts = { files: Told[]; snippets: Told[] }

const summary = ({ files, snippets }: Parts) => [
  row(['held-out texts', 'number', 'wrong', 'target', 'answered', 'target']),
  '|---|---|---|---|---|---|',
  ...Object.entries({ 'whole files': files, 'snippets of 5 to 200 lines': snippets }).map(([name, told]) => {
    const score = scoreOf(told)
    return row([name, told.length, `**${wrongOf(score)}**`, '≤ 3 %', `**${answeredOf(score)}**`, '≥ 75 %'])
  }),
]

const byLanguage = ({ files, snippets }: Parts) => {
  const languages = [...new Set(files.map(({ truth }) => truth))].sort()
  const cells = (told: readonly Told[], language: string) => {
    const score = scoreOf(told.filter(({ truth }) => truth === language))
    return [score.texts, answeredOf(score) || '–', score.wrong]
  }
  return [
    row(['language', 'files', 'answered', 'wrong', 'snippets', 'answered', 'wrong']),
    '|---|---|---|---|---|---|---|',
    ...languages.map((language) => row([language, ...cells(files, language), ...cells(snippets, language)])),
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
export const report = async () => {
  const listed = await readList()
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
