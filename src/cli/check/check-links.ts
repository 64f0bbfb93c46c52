import { type Item, itemsOfKey } from '../client/items.ts'
import { type Target, targetOf } from '../client/target.ts'
import { plural } from '../lines.ts'
import type { ClientCommand, Terminal } from '../terminal.ts'
import { type Probe, probe } from './probe.ts'

/** Hosts that are asked at the same time; each gets one request at a time. */
const mostHosts = 16

/** A host that did not answer so often in a row is not asked again: 1,000 links to it would take hours. */
const patience = 2

type Link = { item: Item; url: string }

/** `isAsked` is false for a link that nobody knows about, because its host was given up. */
type Checked = Omit<Probe, 'isSilent'> & { isAsked: boolean }

const partOf = (url: string, part: 'host' | 'origin') => (URL.canParse(url) ? new URL(url)[part] : '')

/** The links of the key by host. */
const linksByHost = async (target: Target) => {
  const links: Link[] = []
  for await (const item of itemsOfKey(target, 'links')) links.push({ item, url: String(item.url ?? '') })
  const hosts = Map.groupBy(links, ({ url }) => partOf(url, 'host'))
  return { count: links.length, hosts: [...hosts.values()] }
}

const notAsked = (url: string): Checked => ({
  ...{ isFine: false, isAsked: false },
  reason: `not asked: ${partOf(url, 'host')} did not answer twice`,
})

/** Asks for the links of one host, one after another, and for each address once. */
async function* probesOf(links: readonly Link[], timeoutMs: number): AsyncGenerator<[Link, Checked]> {
  const known = new Map<string, Checked>()
  /** By scheme too: without a listener for http, a host may have one for https. */
  const silences = new Map<string, number>()
  const asked = async (url: string): Promise<Checked> => {
    const origin = partOf(url, 'origin')
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
  return async ({ item, url }: Link, { isFine, isAsked, status, reason }: Checked) => {
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
