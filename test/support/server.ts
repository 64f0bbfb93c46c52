import { afterAll, beforeAll } from 'bun:test'
import { createClient } from './client.ts'
import { type RunningServer, type StartOptions, start } from './process.ts'

/** The arguments of a server that refuses nothing for its rate and logs nothing. */
export const quiet = ['--rate-limit', 'off', '--log', 'off'] as const

/**
 * One server and a client of it for a file or a block of tests. Both are filled in before the first test: read their
 * properties inside tests and hooks only.
 */
export const withServer = (options: StartOptions = { args: quiet }) => {
  const server = {} as RunningServer
  const client = {} as ReturnType<typeof createClient>
  const open = async (data = options.data) => {
    Object.assign(server, await start({ ...options, ...(data !== undefined && { data }) }))
    Object.assign(client, createClient(server.url))
  }
  beforeAll(() => open())
  afterAll(() => server.stop())
  return {
    server,
    client,
    /** Starts the server again on the same data folder, at another port. @returns the one that ended */
    restart: async () => {
      const ended = { ...server }
      await ended.stop()
      await open(ended.data)
      return ended
    },
  }
}
