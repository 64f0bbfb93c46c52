import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../test/support/process.ts'
import { type Measured, parseWrkOutput, printSummary } from './wrk-output.ts'

/** One request. */
export type Ask = { method?: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: string }

export type Load = (seconds: number) => Promise<Measured>

export const connections = 32

/** Goes on, second by second, until so many requests were answered. @returns how many were */
export const loadUntil = async (load: Load, wanted: number) => {
  let done = 0
  while (done < wanted) done += (await load(1)).requests
  return done
}

/** JSON's strings are Lua's, but for `\uXXXX`, which printable ASCII and line ends do not need. */
const luaString = (text: string) => JSON.stringify(text)

/** wrk then makes the request once: nothing is run per request. */
const scriptForOne = ({ method = 'GET', headers = {}, body }: Ask) =>
  [
    `wrk.method = ${luaString(method)}`,
    ...Object.entries(headers).map(
      ([name, value]) => `wrk.headers[${luaString(name)}] = ${luaString(value)}`,
    ),
    ...(body === undefined ? [] : [`wrk.body = ${luaString(body)}`]),
  ].join('\n')

const requestText = (host: string, { method = 'GET', path, headers = {}, body }: Ask) => {
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
  const lines = Object.entries({ Host: host, ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** One after the other, and from the start again. They are in a file of their own: a Lua function holds no 60,000 strings. */
const scriptForMany = (file: string, start: number) => `
local requests, at = {}, ${start}
for request in io.open(${luaString(file)}, "rb"):read("*a"):gmatch("[^%z]+") do
  requests[#requests + 1] = request
end
function request()
  at = at % #requests + 1
  return requests[at]
end
`

/** Prepares wrk with one thread and 32 connections. Each run throws for more errors than there must be. */
export const createLoad = (url: string, asks: readonly Ask[], errorShare = 0): Load => {
  const folder = temporaryFolder()
  const script = join(folder, 'load.lua')
  const file = join(folder, 'requests')
  const [first] = asks
  if (!first) throw new Error('there is nothing to ask')
  const { host } = new URL(url)
  if (asks.length > 1) writeFileSync(file, asks.map((ask) => requestText(host, ask)).join('\0'))
  // A run goes on where the last one ended: from the start again, it would meet what the cache still holds.
  let start = 0
  return async (seconds) => {
    const requests = asks.length > 1 ? scriptForMany(file, start) : scriptForOne(first)
    writeFileSync(script, `${requests}\n${printSummary}`)
    // A disk may stop for seconds; that is slow, but no error.
    const how = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '--timeout', '60s', '-s', script]
    const wrk = Bun.spawn(['wrk', ...how, url + first.path], { stdio: ['ignore', 'pipe', 'pipe'] })
    const [output, errors] = await Promise.all([
      new Response(wrk.stdout).text(),
      new Response(wrk.stderr).text(),
    ])
    if ((await wrk.exited) !== 0) throw new Error(`wrk failed: ${output}${errors}`)
    const measured = parseWrkOutput(output, errorShare)
    start = (start + measured.requests) % asks.length
    return measured
  }
}
