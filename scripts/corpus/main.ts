// `bun scripts/corpus/main.ts list|learn|report`: makes the list of the files, the model, or the figures of the docs.
import { fetchPackages } from './fetch.ts'
import { listFiles } from './files.ts'
import { listFile, listText } from './samples.ts'

/** What each word of the command line does; all of them fetch the packages that are not there yet. */
const tasks: Readonly<Record<string, () => Promise<unknown>>> = {
  list: async () => Bun.write(listFile, listText(listFiles())),
}

const [word = ''] = process.argv.slice(2)
const task = tasks[word]
if (!task) throw new Error(`usage: npm run corpus -- ${Object.keys(tasks).join('|')}`)
await fetchPackages()
await task()
