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

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : '')

/** The links of the key by host. */
const linksByHost = async (target: Target) => {
  const links: Link[] = []
  for await (const item of itemsOfKey(target, 'links')) links.push({ item, url: String(item.url ?? '') })
  return { count: links.length, hosts: [...Map.groupBy(links, ({ url }) => hostOf(url)).values()] }
}

/** Asks for the links of one host, one after another, and for each address once. */
async function* probesOf(links: readonly Link[], timeoutMs: number): AsyncGenerator<[Link, Probe]> {
  const known = new Map<string, Probe>()
  let silent = 0
  let last: Probe | undefined
  for (const link of links) {
    const found = known.get(link.url) ?? (silent < patience ? undefined : last)
    const result = found ?? (await probe(link.url, timeoutMs))
    known.set(link.url, result)
    if (!found) silent = result.isUnreachable ? silent + 1 : 0
    last = result
    yield [link, result]
  }
}

const report = ({ print, printJson }: Terminal, isJson: boolean) => {
  return async ({ item, url }: Link, { isFine, status, reason }: Probe) => {
    const { id, shortendUrl } = item
    if (isJson) return printJson({ id, shortendUrl, url, isFine, status, reason })
    if (!isFine) await print(`${shortendUrl} → ${url}: ${reason}`)
  }
}

/** Asks the targets of all links of the key, from this machine. @returns exit code 1 if one does not answer well */
export const checkLinks: ClientCommand = async (_, flags, terminal) => {
  const target = await targetOf({ timeout: '10', ...flags }, terminal)
  const { count, hosts } = await linksByHost(target)
  const tell = report(terminal, flags.json === true)
  let checked = 0
  let bad = 0
  const waiting = hosts.values()
  const work = async () => {
    for (const links of waiting)
      for await (const [link, result] of probesOf(links, target.timeoutMs)) {
        terminal.progress(`checked ${++checked} of ${plural(count, 'link')}`)
        if (!result.isFine) bad++
        await tell(link, result)
      }
  }
  await Promise.all(Array.from({ length: mostHosts }, work))
  terminal.progress('')
  await terminal.written()
  const problems = bad === 0 ? 'all answer' : `${bad} ${bad === 1 ? 'does' : 'do'} not answer as they should`
  terminal.printError(
    count === 0 ? 'there are no links yet' : `${plural(count, 'link')} checked, ${problems}`,
  )
  return bad === 0 ? 0 : 1
}
