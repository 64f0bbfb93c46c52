import { eachMark } from '../../src/highlight/languages/detect/classify.ts'
import type { Sample } from './collect/samples.ts'

/** A mark that only two packages have is the name of something in them. */
const fewestPackages = 4

type Seen = { texts: Map<string, number>; packages: Set<string> }

const countMarks = (samples: readonly Sample[]) => {
  const seen = new Map<number, Seen>()
  const texts = new Map<string, number>()
  for (const { text, language, package: name } of samples) {
    const marks = new Set<number>()
    eachMark(text, (mark) => marks.add(mark))
    texts.set(language, (texts.get(language) ?? 0) + 1)
    for (const mark of marks) {
      const one = seen.get(mark) ?? { texts: new Map(), packages: new Set() }
      if (!seen.has(mark)) seen.set(mark, one)
      one.texts.set(language, (one.texts.get(language) ?? 0) + 1)
      one.packages.add(name)
    }
  }
  return { seen, texts }
}

/** How well a mark separates one language from the others: the share of its texts less the mean share of theirs, weighed. */
const telling = (own: number, others: number) =>
  Math.abs(own - others) * Math.log((own + 0.01) / (others + 0.01)) ** 2

/** The marks that tell each language best, in turns. */
export const chooseMarks = (samples: readonly Sample[], languages: readonly string[], size: number) => {
  const { seen, texts } = countMarks(samples)
  const usual = [...seen].filter(([, { packages }]) => packages.size >= fewestPackages)
  const shares = usual.map(([mark, one]) => {
    const share = languages.map((language) => (one.texts.get(language) ?? 0) / (texts.get(language) ?? 1))
    return { mark, share, sum: share.reduce((sum, value) => sum + value, 0) }
  })
  const ranked = languages.map((_, place) =>
    shares
      .map(({ mark, share, sum }) => {
        const own = share[place] as number
        return { mark, worth: telling(own, (sum - own) / (languages.length - 1)) }
      })
      .sort((a, b) => b.worth - a.worth)
      .slice(0, size),
  )
  const chosen = new Set<number>()
  for (let rank = 0; chosen.size < size; rank++)
    for (const list of ranked) {
      const mark = list[rank]?.mark
      if (mark !== undefined && chosen.size < size) chosen.add(mark)
    }
  return Int32Array.from(chosen)
}
