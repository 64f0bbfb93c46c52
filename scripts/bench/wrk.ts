import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { follow, temporaryFolder } from '../../test/support/process.ts'
import { keep } from './processes.ts'
import { type Measured, parseWrkOutput, readyLine, reports } from './wrk-output.ts'
import { requestText, scriptForMany, scriptForOne } from './wrk-script.ts'

/** One request. */
export type Ask = { method?: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: string }

/** wrk at work. */
export type Run = {
  halt: () => void
  goOn: () => void
  /** On the clock of `performance.now()`: when it ends, unless it is halted then. */
  endsAt: number
  /** Waits for the end. @throws for more errors than there must be */
  measured: () => Promise<Measured>
}

export type LoadOptions = { errorShare?: number; prefix?: readonly string[] }

export type Load = {
  begin: (seconds: number) => Promise<Run>
  /** From beginning to end. */
  run: (seconds: number) => Promise<Measured>
}

export const connections = 32

/** Goes on, second by second, until so many requests were answered. @returns how many were */
export const loadUntil = async (load: Load, wanted: number) => {
  let done = 0
  while (done < wanted) done += (await load.run(1)).requests
  return done
}

/** A disk may stop for seconds; that is slow, but no error. */
const constantOptions = ['-t1', `-c${connections}`, '--latency', '--timeout', '60s']

const runningWrk = (url: string, script: string, seconds: number, prefix: readonly string[]) => {
  const command = ['wrk', ...constantOptions, `-d${seconds}s`, '-s', script, url]
  const child = Bun.spawn([...prefix, ...command], { stdio: ['ignore', 'pipe', 'pipe'] })
  keep(child)
  const output = follow(child.stdout)
  return {
    kill: (signal: 'SIGSTOP' | 'SIGCONT') => child.kill(signal),
    ready: () => output.waitFor(new RegExp(`^${readyLine}$`, 'm')),
    end: async () => {
      const [errors] = await Promise.all([new Response(child.stderr).text(), output.ended])
      if ((await child.exited) !== 0) throw new Error(`wrk failed: ${output.text()}${errors}`)
      return output.text()
    },
  }
}

/**
 * Prepares wrk with one thread and 32 connections.
 * @param options.errorShare which part of the requests asks for what must be refused
 * @param options.prefix words before the command
 */
export const createLoad = (
  url: string,
  asks: readonly Ask[],
  { errorShare = 0, prefix = [] }: LoadOptions = {},
): Load => {
  const folder = temporaryFolder()
  const script = join(folder, 'load.lua')
  const file = join(folder, 'requests')
  const [first] = asks
  if (!first) throw new Error('there is nothing to ask')
  const { host } = new URL(url)
  if (asks.length > 1) writeFileSync(file, asks.map((ask) => requestText(host, ask)).join('\0'))
  // A run goes on where the last one ended: from the start again, it would meet what the cache still holds.
  let start = 0
  const begin = async (seconds: number): Promise<Run> => {
    const requests = asks.length > 1 ? scriptForMany(file, start) : scriptForOne(first)
    writeFileSync(script, `${requests}\n${reports}`)
    const wrk = runningWrk(url + first.path, script, seconds, prefix)
    await wrk.ready()
    return {
      halt: () => wrk.kill('SIGSTOP'),
      goOn: () => wrk.kill('SIGCONT'),
      endsAt: performance.now() + seconds * 1000,
      measured: async () => {
        const measured = parseWrkOutput(await wrk.end(), errorShare)
        start = (start + measured.requests) % asks.length
        return measured
      },
    }
  }
  return { begin, run: async (seconds) => (await begin(seconds)).measured() }
}
