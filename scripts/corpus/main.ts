// `npm run corpus -- list learn report`: writes the list of files, then the model, then the figures of docs/detection.md.
import { fetchPackages } from './collect/fetch.ts'
import { listFiles } from './collect/files.ts'
import { listFile, listText } from './collect/samples.ts'
import { report } from './report.ts'
import { teach } from './teach.ts'

const tasks: Readonly<Record<string, () => Promise<unknown>>> = {
  list: async () => Bun.write(listFile, listText(listFiles())),
  learn: teach,
  report,
}

const words = process.argv.slice(2)
if (words.length === 0 || words.some((word) => !Object.hasOwn(tasks, word)))
  throw new Error(`usage: npm run corpus -- ${Object.keys(tasks).join('|')}…`)
await fetchPackages()
for (const word of words) await tasks[word]?.()
