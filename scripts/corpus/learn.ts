import { createReader, eachMark, encode, type Model } from '../../src/highlight/languages/detect/classify.ts'
import { languageOfForm } from '../../src/highlight/languages/detect/detect-language.ts'
import { createRandom } from '../measure/random.ts'
import type { Listed } from './files.ts'
import { type Sample, samplesOf } from './samples.ts'

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
const chooseMarks = (samples: readonly Sample[], languages: readonly string[], size: number) => {
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

type Example = { places: Uint16Array; values: Float32Array; language: number; weight: number }

const examplesOf = (
  samples: readonly Sample[],
  languages: readonly string[],
  marks: Int32Array,
): Example[] => {
  const read = createReader(marks)
  const counts = new Map<string, number>()
  for (const { language } of samples) counts.set(language, (counts.get(language) ?? 0) + 1)
  return samples.map(({ text, language }) => {
    const { weights, met, size } = read(text.slice(0, 65_536))
    const places = met.slice(0, size)
    const values = Float32Array.from(places, (place) => weights[place] as number)
    // Languages with few files count for as much as others, though not wholly: they know less.
    const weight = (samples.length / languages.length / (counts.get(language) as number)) ** 0.5
    return { places, values, language: languages.indexOf(language), weight }
  })
}

/** Shares that add up to 1, written over the sums. */
const softmax = (sums: Float32Array) => {
  const top = Math.max(...sums)
  let all = 0
  for (const [at, sum] of sums.entries()) {
    sums[at] = Math.exp(sum - top)
    all += sums[at] as number
  }
  for (const at of sums.keys()) sums[at] = (sums[at] as number) / all
}

const [rounds, rate, decay] = [24, 0.5, 2e-6]

/**
 * Logistic regression by stochastic descent with a rate for each weight (Adagrad).
 * @returns a weight for each language and mark, a row for each mark, and at the end a row of what each starts with
 */
const descend = (samples: readonly Sample[], languages: readonly string[], marks: Int32Array) => {
  const examples = examplesOf(samples, languages, marks)
  const width = languages.length
  const weights = new Float32Array((marks.length + 1) * width)
  const squares = new Float32Array(weights.length).fill(1e-6)
  const [random, sums] = [createRandom(1), new Float32Array(width)]
  const order = examples.map((_, at) => at)
  const step = (at: number, slope: number) => {
    const slanted = slope + decay * (weights[at] as number)
    squares[at] = (squares[at] as number) + slanted * slanted
    weights[at] = (weights[at] as number) - (rate * slanted) / Math.sqrt(squares[at] as number)
  }
  for (let round = 0; round < rounds; round++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = random.below(at + 1)
      ;[order[at], order[other]] = [order[other] as number, order[at] as number]
    }
    for (const at of order) {
      const { places, values, language, weight } = examples[at] as Example
      for (let one = 0; one < width; one++) {
        let sum = weights[marks.length * width + one] as number
        for (let mark = 0; mark < places.length; mark++)
          sum += (values[mark] as number) * (weights[(places[mark] as number) * width + one] as number)
        sums[one] = sum
      }
      softmax(sums)
      for (let one = 0; one < width; one++) {
        const slope = weight * ((sums[one] as number) - (one === language ? 1 : 0))
        if (Math.abs(slope) < 1e-4) continue
        for (let mark = 0; mark < places.length; mark++)
          step((places[mark] as number) * width + one, slope * (values[mark] as number))
        step(marks.length * width + one, slope)
      }
    }
  }
  return weights
}

const modelFile = 'src/highlight/languages/detect/model.json'

/** Marks, snippets of each file to learn from, and the weight that the largest digit of the model stands for. */
const [size, snippets, heaviest] = [1250, 4, 24]

/** Learns from the packages that are not held out, and writes the model. */
export const learn = async (listed: readonly Listed[]) => {
  const all = samplesOf(listed, snippets).filter(({ isHeldOut }) => !isHeldOut)
  // What is known by its form never comes to the model.
  const samples = all.filter(({ text }) => languageOfForm(text) === undefined)
  const languages = [...new Set(samples.map(({ language }) => language))].sort()
  const marks = chooseMarks(samples, languages, size)
  const weights = descend(samples, languages, marks)
  const scale = heaviest / 31
  const model: Model = {
    ...{ languages, scale },
    marks: [...marks].map(encode.mark).join(''),
    weights: [...weights].map((weight) => encode.weight(weight / scale)).join(''),
  }
  await Bun.write(modelFile, `${JSON.stringify(model, null, 2)}\n`)
  console.log(
    `${modelFile}: ${languages.length} languages, ${marks.length} marks, from ${samples.length} texts`,
  )
}
