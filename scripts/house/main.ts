// `npm run house`: how large the house is, and how many rooms a request enters. It fails over a ceiling, which is what was reached.
// A long file is no fault: a file ends where an idea ends. `-- --verbose` names the files of each trip.
import {
  ambiguousNames,
  countFiles,
  countLines,
  importCircles,
  longFunctions,
  sectionsApart,
} from './sources.ts'
import { measureTrips } from './trips.ts'

const program = 'src/**/*.{ts,tsx}'
const screenLines = 60

/** Files entered, at most; those of a page count the views and the child of the highlighter as well. */
const ceilings = {
  create: 28,
  'first highlighted page': 29,
  'page in memory': 12,
  'redirect in memory': 8,
  delete: 14,
  change: 29,
  list: 20,
  search: 25,
}

type Figure = { what: string; is: number; atMost: number; where?: string }

const named = (what: string, names: readonly string[], atMost: number): Figure => ({
  what,
  is: names.length,
  atMost,
  where: names.join(' '),
})

const functions = longFunctions(program, screenLines).map(({ place, lines }) => `${place} (${lines})`)
const names = ambiguousNames('{src,views}/**/*.{ts,tsx}', 3).map(([name, count]) => `${name} (${count})`)
const trips = await measureTrips()

const figures: readonly Figure[] = [
  { what: 'lines of src', is: countLines(program), atMost: 32_350 },
  { what: 'lines of views', is: countLines('views/**/*.{ts,tsx,css}'), atMost: 11_480 },
  { what: 'lines of scripts, data included', is: countLines('scripts/**/*.*'), atMost: 12_025 },
  { what: 'lines of tests', is: countLines('test/**/*.{ts,tsx}'), atMost: 49_930 },
  { what: 'files of src', is: countFiles(program), atMost: 173 },
  named(
    `files of src with one reader and ${screenLines} lines at most`,
    sectionsApart(program, screenLines),
    // Four of them are protocols, one file each.
    7,
  ),
  named('names with more than three meanings', names, 0),
  named(`functions over ${screenLines} lines, tables aside`, functions, 0),
  named('files in circles of imports', importCircles('{src,views,scripts}/**/*.{ts,tsx}'), 0),
  ...Object.entries(ceilings).map(([name, atMost]) => ({
    what: `files entered: ${name}`,
    is: (trips[name] ?? []).filter((file) => file.startsWith('src/') || name.endsWith('highlighted page'))
      .length,
    atMost,
  })),
]

const isVerbose = process.argv.includes('--verbose')
for (const { what, is, atMost, where } of figures) {
  const isOver = is > atMost
  if (isOver) process.exitCode = 1
  const list = where && (isOver || isVerbose) ? `: ${where}` : ''
  console.log(`${isOver ? 'OVER' : 'ok'}\t${is} of ${atMost}\t${what}${list}`)
}
if (isVerbose)
  for (const [name, files] of Object.entries(trips)) console.log(`\n${name}\n  ${files.join('\n  ')}`)
process.exit()
