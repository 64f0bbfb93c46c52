import { parse } from 'csv-parse/sync'
import { createRandom, type Random } from '../measure/random.ts'
import { hashOf, type Listed } from './files.ts'

/** A text with the language that it has for certain. */
export type Sample = {
  package: string
  path: string
  language: string
  isHeldOut: boolean
  isSnippet: boolean
  text: string
}

const [fewest, most] = [5, 200]

/** Cuts this many random snippets of 5 to 200 lines out of a text; short ones are as likely as long ones. */
export const snippetsOf = (text: string, hash: string, count: number) => {
  const lines = text.split('\n')
  const random = createRandom(Number.parseInt(hash, 16))
  const snippets: string[] = []
  for (let at = 0; at < count && lines.length > fewest + 1; at++) {
    const longest = Math.min(most, lines.length - 1)
    const size = Math.floor(fewest * (longest / fewest) ** random.next())
    const start = Math.floor(random.next() * (lines.length - size))
    const snippet = lines.slice(start, start + size).join('\n')
    // Empty lines and braces are no text of any language.
    if (snippet.replace(/\s+/g, '').length >= 40) snippets.push(snippet)
  }
  return snippets
}

const two = (value: number) => String(value).padStart(2, '0')

const messages = [
  ...[
    'connection from %a closed',
    'started worker %n',
    'GET /api/items/%n took %n ms',
    'cache miss for key user:%n',
  ],
  ...['retrying in %n s (attempt %n of 5)', 'could not open /var/lib/app/%n.db: Permission denied'],
  ...['User %n logged in', 'job %n finished: 200 items, 3 failed', 'timeout while reading from %a:%n'],
  ...[
    'listening on %a:%n',
    'config: {"debug": false, "port": %n}',
    'SELECT * FROM items WHERE id = %n -- slow (%n ms)',
  ],
  ...[
    "can't parse 'value' at line %n",
    'shutting down; bye',
    'disk usage 91% on /dev/sda1',
    'accepted publickey for root',
  ],
]
const programs = 'sshd cron systemd kernel nginx postfix/smtpd dhclient NetworkManager app-1 dockerd'.split(
  ' ',
)
const levels = 'DEBUG INFO INFO INFO WARN WARNING ERROR FATAL'.split(' ')
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const days = 'Mon Tue Wed Thu Fri Sat Sun'.split(' ')

/** The parts of a line, from which each format takes its own. */
const lineOf = (random: Random, at: number) => {
  const address = () => `10.${random.below(256)}.${random.below(256)}.${random.below(256)}`
  const said = random
    .pick(messages)
    .replace(/%n/g, () => String(random.below(9000)))
    .replace(/%a/g, address)
  const time = new Date(1_600_000_000_000 + at)
  const iso = time.toISOString()
  const clock = iso.slice(11, 19)
  const [month, day] = [months[time.getUTCMonth()] as string, time.getUTCDate()]
  return {
    ...{ said, iso, clock, month, day, address: address(), level: random.pick(levels), random },
    ...{
      program: random.pick(programs),
      pid: 1 + random.below(30_000),
      weekday: days[time.getUTCDay()] as string,
    },
    ...{
      plain: `${iso.slice(0, 10)} ${clock}`,
      seconds: (at / 1000).toFixed(6),
      year: time.getUTCFullYear(),
    },
  }
}
type Line = ReturnType<typeof lineOf>

const trace =
  '\n    at com.example.app.Service.run(Service.java:42)\n    at java.base/java.lang.Thread.run(Thread.java:829)'
const traceback =
  '\nTraceback (most recent call last):\n  File "/srv/app/main.py", line 12, in <module>\n    run()\nValueError: no'

/** Formats of logs as programs write them. Half of them is held out: it never teaches, and only measures. */
const formats: Readonly<Record<string, (line: Line) => string>> = {
  syslog: ({ month, day, clock, program, pid, said }) =>
    `${month} ${String(day).padStart(2)} ${clock} nas ${program}[${pid}]: ${said}`,
  syslog5424: ({ iso, program, pid, said }) => `<34>1 ${iso} nas.local ${program} ${pid} ID47 - ${said}`,
  journald: ({ iso, program, pid, said }) => `${iso.slice(0, 19)}+0000 nas ${program}[${pid}]: ${said}`,
  dmesg: ({ seconds, program, said }) => `[${seconds.padStart(12)}] ${program}: ${said}`,
  access: ({ address, day, month, year, clock, random, said }) =>
    `${address} - - [${two(day)}/${month}/${year}:${clock} +0000] "GET /a/${random.below(99)} HTTP/1.1" 200 ${random.below(9999)} "-" "curl/8.0" ${said.length}`,
  nginx: ({ plain, pid, level, said, address }) =>
    `${plain.replaceAll('-', '/')} [${level.toLowerCase()}] ${pid}#${pid}: *${pid} ${said}, client: ${address}`,
  apache: ({ weekday, month, day, clock, year, level, pid, said }) =>
    `[${weekday} ${month} ${two(day)} ${clock}.123456 ${year}] [core:${level.toLowerCase()}] [pid ${pid}] ${said}`,
  python: ({ plain, level, said, random }) =>
    `${plain},${100 + random.below(900)} - app.worker - ${level} - ${said}${level === 'ERROR' ? traceback : ''}`,
  log4j: ({ plain, random, level, said }) =>
    `${plain}.${100 + random.below(900)} [main] ${level.padEnd(5)} c.e.app.Service - ${said}${level === 'ERROR' ? trace : ''}`,
  go: ({ plain, said }) => `${plain.replaceAll('-', '/')} main.go:42: ${said}`,
  logrus: ({ iso, level, said }) =>
    `time="${iso.slice(0, 19)}Z" level=${level.toLowerCase()} msg="${said.replaceAll('"', "'")}" component=api`,
  klog: ({ level, clock, day, pid, said }) =>
    `${level[0]}09${two(day)} ${clock}.123456 ${String(pid).padStart(7)} server.go:27] ${said}`,
  compose: ({ plain, said, level, program }) =>
    `${program.slice(0, 3)}_1  | ${plain} UTC [1] ${level === 'INFO' ? 'LOG' : level}:  ${said}`,
  postgres: ({ plain, pid, said, level }) =>
    `${plain}.421 UTC [${pid}] ${level === 'INFO' ? 'LOG' : level}:  ${said}`,
  actions: ({ iso, said }) => `${iso.slice(0, 19)}.1234567Z ${said}`,
  bracket: ({ plain, level, said }) => `[${plain}] ${level}: ${said}`,
  short: ({ clock, level, said }) => `${clock} ${level} ${said}`,
  levelled: ({ level, said, program }) => `${level.padEnd(5)} [${program}] ${said}`,
}
const heldOutFormats = 'syslog5424 journald nginx log4j klog compose actions bracket levelled'.split(' ')

const sequences = ['\x1b[31m', '\x1b[1;32m', '\x1b[33m', '\x1b[2m', '\x1b[38;5;208m']

const logOf = (format: (line: Line) => string, seed: number) => {
  const random = createRandom(seed)
  let at = 1_000_000 + random.below(1e9)
  return Array.from({ length: 20 + random.below(300) }, () => {
    at += random.below(20_000)
    return format(lineOf(random, at))
  }).join('\n')
}

const coloured = (text: string, seed: number) => {
  const random = createRandom(seed)
  return text.replace(/\b[A-Za-z]+\b/g, (word) =>
    random.next() < 0.1 ? `${random.pick(sequences)}${word}\x1b[0m` : word,
  )
}

/** Three logs of each format, and one of them in colours. */
const madeLogs = () =>
  Object.entries(formats).flatMap(([name, format], place) =>
    [1, 2, 3, 4].map((seed) => {
      const isColoured = seed === 4
      const text = logOf(format, 100 * place + seed)
      return {
        ...{ package: 'made:logs', path: `${name}-${seed}.log`, isHeldOut: heldOutFormats.includes(name) },
        ...{ language: isColoured ? 'ansi' : 'log', text: isColoured ? coloured(text, seed) : text },
      }
    }),
  )

const rowsOf = (csv: string) =>
  parse(csv, { relax_quotes: true, relax_column_count: true, skip_empty_lines: true }) as string[][]

/** The rows of a table as JSON, an object in each line. */
const jsonLines = (csv: string) => {
  const [names = [], ...rows] = rowsOf(csv)
  return rows
    .map((row) => JSON.stringify(Object.fromEntries(row.map((value, at) => [names[at] ?? at, value]))))
    .join('\n')
}

/** The same table with tabs. A value with a tab or a line end has no place in most of such files. */
const tabbed = (csv: string) =>
  rowsOf(csv)
    .map((row) => row.map((value) => value.replace(/[\t\r\n]/g, ' ')).join('\t'))
    .join('\n')

/** PEM has no grammar: its language is `text`. */
const named = (language: string) => (language === 'pem' ? 'text' : language)

type Whole = Omit<Sample, 'isSnippet'> & { hash: string }

const wholes = (listed: readonly Listed[]): Whole[] => {
  // Hardly any package has one, so those with commas are written with tabs and as lines of JSON as well.
  const tables = listed
    .filter(({ language }) => language === 'csv')
    .flatMap((one) => [
      { ...one, path: `${one.path} with tabs`, language: 'tsv', text: tabbed(one.text) },
      { ...one, path: `${one.path} as JSON`, language: 'jsonl', text: jsonLines(one.text) },
    ])
    .filter(({ text }) => text.trim().length >= 40)
  const logs = madeLogs().map((one) => ({ ...one, hash: hashOf(one.path) }))
  return [...listed, ...tables, ...logs]
}

/** Each file, and this many snippets of it. */
export const samplesOf = (listed: readonly Listed[], snippets: number): Sample[] =>
  wholes(listed).flatMap(({ hash, ...one }) => {
    const parts = snippetsOf(one.text, hash, snippets)
    return [{ ...one, isSnippet: false }, ...parts.map((text) => ({ ...one, text, isSnippet: true }))].map(
      (sample) => ({ ...sample, language: named(sample.language) }),
    )
  })
