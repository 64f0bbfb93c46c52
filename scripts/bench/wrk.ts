import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { follow, keep, temporaryFolder } from '../../test/support/process.ts'
import { onLoadCore, type Run } from './rounds.ts'

export type Ask = { method?: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: string }

/** What is asked for in turn; the first one also shows that two servers answer the same. */
export type Asks = readonly [Ask, ...Ask[]]

/** JSON's strings are Lua's, except `\uXXXX`, which printable ASCII and line ends do not need. */
const lua = JSON.stringify

/** wrk then makes the request once: nothing is run per request. */
const scriptForOne = ({ method = 'GET', headers = {}, body }: Ask) => `
wrk.method = ${lua(method)}
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[${lua(name)}] = ${lua(value)}\n`)
  .join('')}
${body === undefined ? '' : `wrk.body = ${lua(body)}`}`

/** One after the other, and again; only paths differ. In a file of their own: a Lua function holds no 60,000 strings. */
const scriptForMany = (file: string, start: number, first: Ask) => `${scriptForOne(first)}
local requests, at = {}, ${start}
function prepare()
  for path in io.lines(${lua(file)}) do requests[#requests + 1] = wrk.format(nil, path) end
end
function request()
  at = at % #requests + 1
  return requests[at]
end`

/** Says when it is ready, and then what wrk knows as one line of JSON: its own report rounds, and says `12.34k`. */
const reports = `
function init()
  if prepare then prepare() end
  io.write("ready\\n")
  io.flush()
end
function done(summary)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"errors":{"connect":%d,"read":%d,"write":%d,"timeout":%d,"status above 399":%d}}\\n',
    summary.requests, errors.connect, errors.read, errors.write, errors.timeout, errors.status))
end
`

/** What wrk counted: requests with any answer, and errors by kind. @throws when it printed no figures */
export const readWrkOutput = (output: string): { requests: number; errors: Record<string, number> } => {
  const line = /^\{"requests".*\}$/m.exec(output)?.[0]
  if (line === undefined) throw new Error(`wrk printed no figures: ${output.trim()}`)
  return JSON.parse(line)
}

/** @returns how many requests were answered @throws for answers or connections that failed: their speed means nothing */
const parseWrkOutput = (output: string) => {
  const { requests, errors } = readWrkOutput(output)
  const failed = Object.entries(errors).filter(([, count]) => count > 0)
  if (failed.length)
    throw new Error(`wrk met errors: ${failed.map(([kind, count]) => `${count} × ${kind}`).join(', ')}`)
  if (requests === 0) throw new Error('wrk got no answer')
  return requests
}

/** @returns what begins wrk, with one thread, for so many seconds */
export const createLoad = (url: string, asks: Asks, countOf = parseWrkOutput, connections = 32) => {
  const folder = temporaryFolder()
  const [script, file] = [join(folder, 'load.lua'), join(folder, 'requests')]
  const [first] = asks
  if (asks.length > 1) writeFileSync(file, asks.map(({ path }) => `${path}\n`).join(''))
  // A run goes on where the last one ended: from the start again, it would meet what the cache still holds.
  let start = 0
  return async (seconds: number): Promise<Run> => {
    const requests = asks.length > 1 ? scriptForMany(file, start, first) : scriptForOne(first)
    writeFileSync(script, requests + reports)
    // A disk may stop for seconds; that is slow, but no error.
    const flags = ['-t1', `-c${connections}`, '--timeout=60s', `-d${seconds}s`, '-s', script]
    const command = ['wrk', ...flags, url + first.path]
    const child = Bun.spawn([...onLoadCore, ...command], { stdio: ['ignore', 'pipe', 'pipe'] })
    keep(child)
    const output = follow(child.stdout)
    await output.waitFor(/^ready$/m)
    return {
      halt: () => child.kill('SIGSTOP'),
      goOn: () => child.kill('SIGCONT'),
      endsAt: performance.now() + seconds * 1000,
      answered: async () => {
        const [errors] = await Promise.all([child.stderr.text(), output.ended])
        if ((await child.exited) !== 0) throw new Error(`wrk failed: ${output.text()}${errors}`)
        const answered = countOf(output.text())
        start = (start + answered) % asks.length
        return answered
      },
    }
  }
}

/** Asks second by second until so many requests were answered. */
export const loadUntil = async (begin: ReturnType<typeof createLoad>, wanted: number) => {
  for (let done = 0; done < wanted; ) done += await (await begin(1)).answered()
}
