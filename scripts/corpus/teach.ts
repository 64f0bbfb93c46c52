import { encode, type Model } from '../../src/highlight/languages/detect/classify.ts'
import { languageOfForm } from '../../src/highlight/languages/detect/detect-language.ts'
import { readList, samplesOf } from './collect/samples.ts'
import { learn } from './learn.ts'
import { chooseMarks } from './vocabulary.ts'

const modelFile = 'src/highlight/languages/detect/model.json'

/** Marks, snippets of each file to learn from, and the weight that the largest digit of the model stands for. */
const [size, snippets, heaviest] = [1250, 4, 24]

/** Learns from the packages that are not held out, and writes the model. */
export const teach = async () => {
  const all = samplesOf(await readList(), snippets).filter(({ isHeldOut }) => !isHeldOut)
  // What is known by its form never comes to the model.
  const samples = all.filter(({ text }) => languageOfForm(text) === undefined)
  const languages = [...new Set(samples.map(({ language }) => language))].sort()
  const marks = chooseMarks(samples, languages, size)
  const weights = learn(samples, languages, marks)
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
