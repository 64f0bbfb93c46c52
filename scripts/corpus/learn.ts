import { createReader } from '../../src/highlight/languages/detect/classify.ts'
import type { Sample } from './collect/samples.ts'
import { createRandom } from './collect/snippets.ts'

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
export const learn = (samples: readonly Sample[], languages: readonly string[], marks: Int32Array) => {
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
      const other = Math.floor(random() * (at + 1))
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
