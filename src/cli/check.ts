import { version } from '../../package.json' with { type: 'json' }
import { itemsOfKey, type OwnItem } from './client/items.ts'
import { type Target, targetOf } from './client/login.ts'
import { networkReason } from './client/send.ts'
import { type ClientCommand, plural, type Terminal } from './terminal.ts'

/** Hosts that are asked at the same time; each gets one request at a time. */
const mostHosts = 16

/** A host that did not answer so often in a row is not asked again: 1,000 links to it would take hours. */
const patience = 2

type CheckedLink = { item: OwnItem; url: string }

/** `isAsked` is false for a link that nobody knows about, because its host was given up. */
type Checked = Omit<Probe, 'isSilent'> & { isAsked: boolean }

const urlPart = (url: string, part: 'host' | 'origin') => (URL.canParse(url) ? new URL(url)[part] : '')

/** The links of the key by host. */
const linksByHost = async (target: Target) => {
  const links: CheckedLink[] = []
  for await (const item of itemsOfKey(target, 'links')) links.push({ item, url: String(item.url ?? '') })
  const hosts = Map.groupBy(links, ({ url }) => urlPart(url, 'host'))
  return { count: links.length, hosts: [...hosts.values()] }
}

const notAsked = (url: string): Checked => ({
  ...{ isFine: false, isAsked: false },
  reason: `not asked: ${urlPart(url, 'host')} did not answer twice`,
})

/** Asks for the links of one host, one after another, and for each address once. */
async function* probesOf(
  links: readonly CheckedLink[],
  timeoutMs: number,
): AsyncGenerator<[CheckedLink, Checked]> {
  const known = new Map<string, Checked>()
  /** By scheme too: without a listener for http, a host may have one for https. */
  const silences = new Map<string, number>()
  const asked = async (url: string): Promise<Checked> => {
    const origin = urlPart(url, 'origin')
    const silent = silences.get(origin) ?? 0
    if (silent >= patience) return notAsked(url)
    const { isSilent, ...result } = await probe(url, timeoutMs)
    silences.set(origin, isSilent ? silent + 1 : 0)
    return { ...result, isAsked: true }
  }
  for (const link of links) {
    const result = known.get(link.url) ?? (await asked(link.url))
    known.set(link.url, result)
    yield [link, result]
  }
}

const report = ({ print, printJson }: Terminal, isJson: boolean) => {
  return async ({ item, url }: CheckedLink, { isFine, isAsked, status, reason }: Checked) => {
    const { id, shortendUrl } = item
    if (isJson) return printJson({ id, shortendUrl, url, isFine, isAsked, status, reason })
    if (!isFine) await print(`${shortendUrl} → ${url}: ${reason}`)
  }
}

type Tally = { count: number; bad: number; unasked: number }

const summary = ({ count, bad, unasked }: Tally) => {
  if (count === 0) return 'there are no links yet'
  if (bad === 0) return `${plural(count, 'link')} checked, all answer`
  const problems = `${bad} ${bad === 1 ? 'does' : 'do'} not answer as they should`
  if (unasked === 0) return `${plural(count, 'link')} checked, ${problems}`
  return `${plural(count - unasked, 'link')} checked, ${problems}; ${plural(unasked, 'link')} not asked`
}

/** Asks the targets of all links of the key, from this machine. @returns exit code 1 if one does not answer well */
export const checkLinks: ClientCommand = async (_, flags, terminal) => {
  const target = await targetOf({ timeout: '10', ...flags }, terminal)
  const { count, hosts } = await linksByHost(target)
  const tell = report(terminal, flags.json === true)
  const tally = { count, bad: 0, unasked: 0 }
  let done = 0
  const waiting = hosts.values()
  const work = async () => {
    for (const links of waiting)
      for await (const [link, result] of probesOf(links, target.timeoutMs)) {
        terminal.progress(`checked ${++done} of ${plural(count, 'link')}`)
        if (!result.isAsked) tally.unasked++
        else if (!result.isFine) tally.bad++
        await tell(link, result)
      }
  }
  await Promise.all(Array.from({ length: mostHosts }, work))
  terminal.progress('')
  if (!flags.json) await terminal.print(summary(tally))
  await terminal.written()
  // JSON is for programs, which count themselves.
  if (flags.json) terminal.printError(summary(tally))
  return tally.bad === 0 ? 0 : 1
}

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
const probeOnce = async (url: string, method: 'HEAD' | 'GET', timeoutMs: number): Promise<Found> => {
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
  const found = await probeOnce(url, 'HEAD', timeoutMs)
  const { isFinal: _, ...result } = found.isFinal ? found : await probeOnce(url, 'GET', timeoutMs)
  return result
}
