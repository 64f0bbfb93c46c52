import { detectLanguage, languageOfContent } from '../../src/highlight/languages/detect/detect-language.ts'
import type { Sample } from './collect/samples.ts'
import { hostileTexts } from './hostile.ts'

/** How the detection does on some samples. */
export type Score = {
  texts: number
  /** A language was said, and it is another one. */
  wrong: number
  /** Texts that have a language, and those for which one was said. */
  withLanguage: number
  answered: number
}

export type Told = { truth: string; said: string }

/** What the content alone says: names would make it too easy. */
export const tell = (samples: readonly Sample[]): Told[] =>
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

/** 64 KiB of each language, by its name, of files that have no `#!`. */
const longTexts = (samples: readonly Sample[]) => {
  const byLanguage = Map.groupBy(samples, ({ language }) => language)
  return [...byLanguage].map(([language, list]) => {
    const all = list.map(({ text }) => text.replace(/^#!.*\n/, '')).join('\n')
    return [language, all.repeat(Math.ceil(size / all.length)).slice(0, size)] as const
  })
}

/** Milliseconds for 64 KiB, by name: of each language, and of texts that are made to be slow. */
export const timesOf = (samples: readonly Sample[]) => {
  const [usual, hostile] = [longTexts(samples), Object.entries(hostileTexts)]
  // The first round lets the machine compile what is used often.
  for (const [, text] of [...usual, ...hostile]) medianOf(text)
  const measured = (texts: readonly (readonly [string, string])[]) =>
    texts.map(([name, text]) => ({ name, ms: medianOf(text) })).sort((a, b) => b.ms - a.ms)
  return { usual: measured(usual), hostile: measured(hostile) }
}
