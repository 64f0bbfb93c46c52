// `npm run house`: how large the house is. It fails over a limit; beside it is a goal that is not reached yet. The limit
// keeps the figure from growing. `-- --verbose` names the files of each trip.
import { countLines, importCircles, longFunctions } from './sources.ts'
import { measureTrips } from './trips.ts'

const program = 'src/**/*.{ts,tsx}'
const screenLines = 60

type Row = { what: string; is: number; atMost: number; goal?: number; where?: string }

const trips = await measureTrips()
const ofProgram = (name: string) => (trips[name] ?? []).filter((file) => file.startsWith('src/'))
const trip = (name: string, atMost: number, goal?: number): Row => ({
  what: `files of src entered by: ${name}`,
  is: ofProgram(name).length,
  atMost,
  ...(goal !== undefined && { goal }),
})

const functions = longFunctions(program, screenLines)
const circles = importCircles('{src,views,scripts}/**/*.{ts,tsx}')

const rows: readonly Row[] = [
  { what: 'lines of src', is: countLines(program), atMost: 30_900, goal: 10_300 },
  { what: 'lines of scripts', is: countLines('scripts/**/*.{ts,tsx,mjs}'), atMost: 11_600, goal: 3000 },
  {
    what: `functions over ${screenLines} lines, tables aside`,
    is: functions.length,
    atMost: 0,
    where: functions.map(({ place, lines }) => `${place} (${lines})`).join(' '),
  },
  { what: 'files in circles of imports', is: circles.length, atMost: 0, where: circles.join(' ') },
  trip('create', 34, 20),
  trip('page', 18),
  trip('redirect in memory', 9),
  trip('delete', 18, 14),
]

const isOver = ({ is, atMost }: Row) => is > atMost

const lineOf = (row: Row) => {
  const { what, is, atMost, goal, where } = row
  const aim = goal !== undefined && is > goal ? ` (goal ${goal})` : ''
  return `${isOver(row) ? 'OVER' : 'ok'}\t${is} of ${atMost}${aim}\t${what}${where ? `: ${where}` : ''}`
}

for (const row of rows) console.log(lineOf(row))
if (process.argv.includes('--verbose'))
  for (const [name, files] of Object.entries(trips)) console.log(`\n${name}\n  ${files.join('\n  ')}`)
process.exit(rows.some(isOver) ? 1 : 0)
