/** `N passed, N failed, N skipped`, from what `bun test` wrote; what was left out by `-t` is not counted. */
export const closingLine = (text: string) => {
  const count = (word: string) =>
    Number([...text.matchAll(new RegExp(`^ *(\\d+) ${word}$`, 'gm'))].at(-1)?.[1] ?? 0)
  if (!/^Ran \d+ tests? across/m.test(text)) return 'the run ended before its summary'
  return `${count('pass')} passed, ${count('fail')} failed, ${count('skip')} skipped`
}

const finished = /^(?:\((?:pass|fail)\)|[✓✗]) (.*) \[([\d.]+)ms\]$/

/** The slowest tests, slowest first, from what `bun test` wrote: milliseconds, file and name. */
export const slowestTests = (text: string, count: number) => {
  let file = ''
  const tests: { file: string; name: string; ms: number }[] = []
  for (const line of text.split('\n')) {
    // What follows repeats the tests that failed or were skipped.
    if (/^\d+ tests? (?:failed|skipped):$/.test(line)) break
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
