import { get } from 'node:http'
import { isIPv6 } from 'node:net'
import type { Config } from '../../settings/config.ts'
import type { Command } from '../terminal.ts'

/** Much shorter than a container's usual timeout for the whole command. */
const waitMs = 2000

/** A server on all addresses is reached at loopback. */
const loopback: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

const readyAddress = ({ host, port }: Config) => {
  const near = loopback[host] ?? host
  return `http://${isIPv6(near) ? `[${near}]` : near}:${port}/readyz`
}

const messageOf = (body: string) => {
  try {
    const { error } = JSON.parse(body) as { error?: unknown }
    return typeof error === 'string' ? ` (${error})` : ''
  } catch {
    return ''
  }
}

/** Requests `address` directly. `fetch` would use a proxy from the environment. */
const askIfReady = (address: string) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    const request = get(address, { agent: false, signal: AbortSignal.timeout(waitMs) }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        body += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
      response.on('error', reject)
    })
    request.on('error', reject)
  })

const whyNoAnswer = (error: unknown) => {
  const { code, name, message } = error as { code?: string; name: string; message: string }
  if (name === 'AbortError' || name === 'TimeoutError') return `nothing within ${waitMs / 1000} seconds`
  return code ?? message
}

/** Whether a server answers at the place of these settings, and whether it is ready. */
export const readyAt = async (config: Config) => {
  const nothing = { isShortcrust: false, isReady: false, why: '' }
  try {
    const { status, body } = await askIfReady(readyAddress(config))
    const isShortcrust = /^\{"success":(true|false),/.test(body)
    return { isShortcrust, isReady: status === 200, why: `it answered ${status}${messageOf(body)}` }
  } catch {
    return nothing
  }
}

/** Asks the server with these settings if it is ready. @returns 0 if so, 1 if not or without an answer */
export const healthcheck: Command = async (_, config, { print, printError }) => {
  const fail = (why: string) => {
    printError(`shortcrust: not ready: ${why}`)
    return 1
  }
  if (config.port === 0)
    return fail('port 0 takes any free port; give the one that the server said, with --port')
  const address = readyAddress(config)
  try {
    const { status, body } = await askIfReady(address)
    if (status !== 200) return fail(`${address} answered ${status}${messageOf(body)}`)
    print(`ready: ${address}`)
    return 0
  } catch (error) {
    return fail(
      `no answer from ${address}: ${whyNoAnswer(error)}; --host and --port must be those of the server`,
    )
  }
}
