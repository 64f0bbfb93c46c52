/** `N passed, N failed, N skipped`, from what `bun test` wrote; what was left out by `-t` is not counted. */
export const closingLine = (text: string) => {
  const count = (word: string) =>
    Number([...text.matchAll(new RegExp(`^ *(\\d+) ${word}$`, 'gm'))].at(-1)?.[1] ?? 0)
  if (!/^Ran \d+ tests? across/m.test(text)) return 'the run ended before its summary'
  return `${count('pass')} passed, ${count('fail')} failed, ${count('skip')} skipped`
}

/** What follows repeats the names of the tests that failed or were skipped. */
const isSummary = (line: string) => /^\d+ tests? (?:failed|skipped):$/.test(line)

const finished = /^(?:\((?:pass|fail)\)|[✓✗]) (.*) \[([\d.]+)ms\]$/

/** The slowest tests, slowest first, from what `bun test` wrote: milliseconds, file and name. */
export const slowestTests = (text: string, count: number) => {
  let file = ''
  const tests: { file: string; name: string; ms: number }[] = []
  for (const line of text.split('\n')) {
    if (isSummary(line)) break
    file = /^(\S+\.test\.ts):$/.exec(line)?.[1] ?? file
    const [, name, ms] = finished.exec(line) ?? []
    if (name !== undefined) tests.push({ file, name, ms: Number(ms) })
  }
  const slowest = tests.sort((a, b) => b.ms - a.ms).slice(0, count)
  if (slowest.length === 0) return []
  return [
    `\nThe ${slowest.length} slowest tests, in ms:`,
    ...slowest.map(({ file, name, ms }) => `${ms.toFixed(0).padStart(7)}  ${file}  ${name}`),
    '',
  ]
}

const isResult = (line: string) => /^(?:\((?:pass|fail|skip|todo)\)|[✓✗»✎]) /.test(line)

/** Of one failed test; what fails in a loop prints more. */
const mostLines = 60

/** What each failed test wrote, from what `bun test` wrote: in a long run it is far above the summary. */
export const failures = (text: string) => {
  let file = ''
  let written: string[] = []
  const found: string[] = []
  for (const line of text.split('\n')) {
    if (isSummary(line)) break
    const opened = /^(\S+\.test\.ts):$/.exec(line)?.[1]
    if (/^(?:\(fail\)|✗) /.test(line)) found.push('', `${file}:`, ...written.slice(-mostLines), line)
    else if (opened === undefined && !isResult(line)) {
      written.push(line)
      continue
    }
    file = opened ?? file
    written = []
  }
  return found
}
