// `npm run corpus -- learn report`: writes the model, then the figures of docs/detection.md.
import { fetchPackages } from './fetch.ts'
import { type Listed, listFiles } from './files.ts'
import { learn } from './learn.ts'
import { report } from './report.ts'

const tasks: Readonly<Record<string, (listed: readonly Listed[]) => Promise<void>>> = { learn, report }

const words = process.argv.slice(2)
if (words.length === 0 || words.some((word) => !Object.hasOwn(tasks, word)))
  throw new Error(`usage: npm run corpus -- ${Object.keys(tasks).join('|')}…`)
await fetchPackages()
const listed = listFiles()
for (const word of words) await tasks[word]?.(listed)
