import { malformed, notFound } from '../../errors.ts'
import { publicName } from '../../format.ts'
import { escapeText } from '../../highlight/show-text.ts'
import { jsonHeaders } from '../../http/answers.ts'
import type { Fields } from '../../http/forms.ts'
import type { RequestContext } from '../../http/routes.ts'
import type { StoredLink } from '../../items/link.ts'
import type { Asker, Listed } from '../../services/own-items.ts'
import { type Failure, inTheirNames, type ProtocolParts, timeText } from './protocol.ts'

/** An answer. `simple` is what the format of that name shows of it. */
export type Said = Readonly<Record<string, unknown>> & { simple?: string }
const xmlOf = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).reduce((text, [name, one]) => `${text}<${name}>${xmlOf(one)}</${name}>`, '')
    : escapeText(String(value).replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd]/g, '?'))

/** A plain name, perhaps of a property. */
export const isCallback = (name: string) => /^[a-z_$][\w$]{0,63}(?:\.[a-z_$][\w$]{0,63}){0,7}$/i.test(name)
export const callbackOf = ({ callback, jsonp = '' }: Fields) => callback ?? jsonp

const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>'
const formats: Readonly<Record<string, (said: Said, callback: string) => readonly [string, string]>> = {
  json: (said) => ['application/json', JSON.stringify(said)],
  jsonp: (said, callback) => ['application/javascript', `${callback}(${JSON.stringify(said)})`],
  xml: (said) => ['application/xml', `${xmlHead}\n<result>${xmlOf(said)}</result>\n`],
}

/** An answer in the format that was asked for. */
export const write = (fields: Fields, { simple = '', ...said }: Said, status = 200) => {
  const { format = 'xml' } = fields
  const callback = callbackOf(fields)
  // What calls no function is no script.
  const name = format === 'jsonp' && !isCallback(callback) ? 'json' : format
  const written = Object.hasOwn(formats, name) ? formats[name]?.(said, callback) : undefined
  const [type, body] = written ?? ['text/plain', simple]
  return new Response(body, { status, headers: { ...jsonHeaders, 'Content-Type': `${type}; charset=utf-8` } })
}

const statuses: Partial<Record<string, number>> = {
  unauthorized: 403,
  conflict: 400,
  invalid: 400,
  gone: 404,
}
const codes: Partial<Record<string, string>> = { url: 'error:nourl', alias: 'error:keyword' }

/** Programs read the `code` of a creation that failed, and the message of everything else. */
export const writeFailure = (fields: Fields, { status, message, kind, field = '' }: Failure) => {
  const statusCode = statuses[kind] ?? status
  const said = {
    message: inTheirNames(message, { alias: 'keyword' }),
    errorCode: String(statusCode),
    statusCode,
  }
  if (fields.action !== 'shorturl' || statusCode === 403 || statusCode === 405)
    return write(fields, { ...said, simple: message }, statusCode)
  const code = message.includes('make a loop') ? 'error:noloop' : (codes[field] ?? `error:${kind}`)
  return write(fields, { status: 'fail', code, ...said }, statusCode)
}

/** A request; `key` is `null` if it has none. */
export type Asked = { context: RequestContext; fields: Fields; key: string | null }

/** The YOURLS whose answers these are. */
const spokenVersion = '1.10.4'

const mostListed = 200
const good = { message: 'success', statusCode: 200 }
const totalled = { ...good, simple: 'Need either XML or JSON format for stats' }

/** What short links lead to, and how often those of a key were followed. */
export const createReads = ({ links, linksOfKey, counts, origin }: ProtocolParts) => {
  const recordOf = (context: RequestContext, link: StoredLink | Listed<StoredLink>, clicks: number) => ({
    shorturl: origin.addresses(context).link(publicName(link)),
    ...{ url: link.url, title: link.title || link.url, timestamp: timeText(link.createdAt), ip: '' },
    clicks,
  })
  /** By its address or its name. Only the key that made a link that burns sees where it leads. */
  const find = async ({ context, fields: { shorturl = '' } }: Asked, { name: asker }: Asker) => {
    const url = URL.parse(shorturl)
    const name = (url?.pathname ?? shorturl).split('/').at(-1)?.replace(/\+$/, '') ?? ''
    const link = !url || origin.addresses(context).isOwnLink(url) ? await links.find(name) : undefined
    if (link && (!links.isBurning(link) || link.owner === asker)) return link
    throw notFound('Error: short URL not found')
  }
  const clicksOfAll = (items: readonly Listed<StoredLink>[]) =>
    counts.ofMany(
      'link',
      items.map(({ id }) => id),
    )
  const clicksOf = async (owner: string, after?: string): Promise<number> => {
    const page = await linksOfKey.list(owner, mostListed, after)
    const clicks = (await clicksOfAll(page.items)).reduce((sum, one) => sum + one, 0)
    return page.after === undefined ? clicks : clicks + (await clicksOf(owner, page.after))
  }
  const totalsOf = async ({ name }: Asker) => ({
    total_links: await linksOfKey.count(name),
    total_clicks: await clicksOf(name),
  })
  const list = async ({ context, fields }: Asked, { name }: Asker) => {
    const { filter = 'top', limit = '', start = '' } = fields
    const [count = 0, from = 0] = [limit, start].map((text) => Math.abs(Number.parseInt(text, 10)) || 0)
    if (count === 0) return {}
    if (count + from > mostListed) throw malformed(`"limit" and "start" are at most ${mostListed} together`)
    if (filter !== 'top' && filter !== 'last') throw malformed('"filter" must be "top" or "last"')
    const { items } = await (filter === 'last'
      ? linksOfKey.list(name, count + from)
      : linksOfKey.search(name, { text: '', sort: 'uses' }, count + from))
    const shown = items.slice(from)
    const clicks = await clicksOfAll(shown)
    const records = shown.map((link, at) => [`link_${at + 1}`, recordOf(context, link, clicks[at] ?? 0)])
    return records.length > 0 && { links: Object.fromEntries(records) }
  }

  const reads: Readonly<Record<string, (asked: Asked, asker: Asker) => Promise<Said>>> = {
    expand: async (asked, asker) => {
      const { shorturl, url, title } = recordOf(asked.context, await find(asked, asker), 0)
      return { keyword: shorturl.split('/').at(-1), shorturl, longurl: url, title, ...good, simple: url }
    },
    'url-stats': async (asked, asker) => {
      const link = await find(asked, asker)
      return { ...totalled, link: recordOf(asked.context, link, await counts.of('link', link.id)) }
    },
    stats: async (asked, asker) => {
      return { ...(await list(asked, asker)), stats: await totalsOf(asker), ...totalled }
    },
    'db-stats': async (_, asker) => ({ 'db-stats': await totalsOf(asker), ...totalled }),
    version: async () => ({ version: spokenVersion, simple: spokenVersion }),
  }
  return reads
}
