import { version } from '../../../package.json' with { type: 'json' }
import { networkReason } from '../client/send.ts'

/** What an address answers. `isUnreachable`: nothing answers there at all, so its neighbours need not be asked. */
export type Probe = { isFine: boolean; status?: number; reason?: string; isUnreachable: boolean }

const headers = { 'User-Agent': `shortcrust/${version} (check)`, Accept: '*/*' }

/** Something is there: a page that wants a login, or another method, is not gone. */
const isGone = (status: number) => status === 404 || status === 410 || status >= 500

const ask = async (url: string, method: 'HEAD' | 'GET', timeoutMs: number) => {
  const response = await fetch(url, {
    method,
    headers,
    redirect: 'follow',
    keepalive: false,
    signal: AbortSignal.timeout(timeoutMs),
  })
  await response.body?.cancel()
  return response
}

const unreachable = (error: unknown, timeoutMs: number): Probe => {
  const { name, code } = error as { name?: string; code?: string }
  if (name === 'TimeoutError')
    return { isFine: false, isUnreachable: true, reason: `no answer within ${timeoutMs / 1000} s` }
  const isLoop = code === 'TooManyRedirects'
  return {
    isFine: false,
    isUnreachable: !isLoop,
    reason: isLoop ? 'redirects without end' : networkReason(error),
  }
}

/**
 * Asks an address whether something is there: by `HEAD`, and by `GET` if that is not answered well. Redirects are followed;
 * bodies are not read. Never throws.
 */
export const probe = async (url: string, timeoutMs: number): Promise<Probe> => {
  try {
    const first = await ask(url, 'HEAD', timeoutMs)
    const { status, statusText } = first.status < 400 ? first : await ask(url, 'GET', timeoutMs)
    if (!isGone(status)) return { isFine: true, status, isUnreachable: false }
    return { isFine: false, status, reason: `answers ${status} ${statusText}`.trim(), isUnreachable: false }
  } catch (error) {
    return unreachable(error, timeoutMs)
  }
}
