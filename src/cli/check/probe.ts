import { version } from '../../../package.json' with { type: 'json' }
import { networkReason } from '../client/send.ts'

/** What an address answers; `reason` is why that is not fine. */
export type Probe = {
  isFine: boolean
  status?: number
  reason?: string
  /** True if the host itself does not answer, so no other address of it needs to be asked. */
  isSilent: boolean
}

/** What is at the end of the redirects. `isFinal`: another method would find the same. */
type Found = Probe & { isFinal: boolean }

const headers = { 'User-Agent': `shortcrust/${version} (check)`, Accept: '*/*' }

/** As many as browsers follow. */
const mostRedirects = 20

const redirects = new Set([301, 302, 303, 307, 308])

/** Errors before anything was sent: there is no such host, no way to it, or nothing at the port. */
const noConnection = new Set([
  ...['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'],
])

/** Something is there: a page that wants a login, or another method, is not gone. */
const isGone = (status: number) => status === 404 || status === 410 || status >= 500

const answered = (status: number, statusText: string): Found => {
  const isFinal = status < 400
  if (!isGone(status)) return { isFine: true, status, isSilent: false, isFinal }
  return { isFine: false, status, reason: `answers ${status} ${statusText}`.trim(), isSilent: false, isFinal }
}

const astray = (reason: string, isFinal: boolean): Found => ({
  ...{ isFine: false, reason, isSilent: false, isFinal },
})

/** @param isOwn false behind a redirect, which may lead to another host */
const failed = (error: unknown, timeoutMs: number, isOwn: boolean): Found => {
  const { name, code = '' } = error as { name?: string; code?: string }
  const isLate = name === 'TimeoutError'
  const isFinal = noConnection.has(code)
  const reason = isLate ? `no answer within ${timeoutMs / 1000} s` : networkReason(error)
  return { isFine: false, reason, isSilent: isOwn && (isLate || isFinal), isFinal }
}

/** Where a redirect leads, or why it leads nowhere. Headers are read as Latin-1, and many servers write UTF-8. */
const nextOf = (location: string, from: string) => {
  const text = Buffer.from(location, 'latin1').toString()
  if (!URL.canParse(text, from)) return { reason: 'redirects to an address that cannot be read' }
  const { href, protocol } = new URL(text, from)
  if (protocol === 'http:' || protocol === 'https:') return { href }
  return { reason: 'redirects to an address that does not begin with http:// or https://' }
}

/** Asks once, and wherever that redirects to; bodies are not read. Never throws. */
const ask = async (url: string, method: 'HEAD' | 'GET', timeoutMs: number): Promise<Found> => {
  const signal = AbortSignal.timeout(timeoutMs)
  let at = url
  let followed = 0
  try {
    for (; followed <= mostRedirects; followed++) {
      const response = await fetch(at, { method, headers, redirect: 'manual', keepalive: false, signal })
      await response.body?.cancel()
      const { status, statusText } = response
      const location = response.headers.get('location')
      if (!redirects.has(status) || location === null) return answered(status, statusText)
      const { href, reason } = nextOf(location, at)
      if (href === undefined) return astray(reason, false)
      at = href
    }
    return astray('redirects without end', true)
  } catch (error) {
    return failed(error, timeoutMs, followed === 0)
  }
}

/** Asks an address whether something is there: by `HEAD`, and by `GET` where that may find more. Never throws. */
export const probe = async (url: string, timeoutMs: number): Promise<Probe> => {
  const found = await ask(url, 'HEAD', timeoutMs)
  const { isFinal: _, ...result } = found.isFinal ? found : await ask(url, 'GET', timeoutMs)
  return result
}
