import { AppError } from '../../errors.ts'
import { publicName } from '../../format.ts'
import { json, jsonHeaders, pageHeaders } from '../../http/answers.ts'
import type { Origin } from '../../http/origin.ts'
import type { KeyedContext, NamedContext, RequestContext } from '../../http/routes.ts'
import type { Done, KeyFacts, Ready } from '../../items/schema.ts'
import type { KeyHolder } from '../../services/keys.ts'

export type HealthParts = {
  health: { isGood: () => boolean }
  isLocked: () => boolean
  origin: Pick<Origin, 'proxyFault'>
}

/** `GET /healthz` */
export const isAlive = () => json({ success: true, message: 'Alive' } satisfies Done)

/** `GET /readyz`: this process holds the lock of the folder, and the last write reached the disk. Says how a proxy hides who asks. */
export const createReadiness = ({ health, isLocked, origin }: HealthParts) => {
  return ({ request, server }: RequestContext) => {
    if (!isLocked())
      throw new AppError('storage-unavailable', 'The lock of the data folder is gone: restart this server')
    if (!health.isGood()) throw new AppError('storage-unavailable', 'The last write failed')
    const proxy = origin.proxyFault({ request, server })
    return json({ success: true, message: 'Ready', ...(proxy && { proxy }) } satisfies Ready)
  }
}

/** Leaves out the key and its hash. */
const factsOf = ({ name, only, rate, expiresAt, admin }: KeyHolder): KeyFacts => ({
  success: true,
  name,
  ...(only !== undefined && { only }),
  ...(rate !== undefined && { rate }),
  ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
  ...(admin && { admin }),
})

/** `GET /key`: the name and the limits of the key. Takes no token. */
export const showKey = ({ holder }: KeyedContext) => json(factsOf(holder))

type Uploader = { kind: string; DestinationType: string; path: string; data: object; URL: string }

const pasteUploader: Uploader = {
  kind: 'paste',
  DestinationType: 'TextUploader',
  path: '/paste',
  // ShareX replaces the words in braces, and escapes the values for JSON.
  data: { text: '{input}', title: '{filename}', description: '', language: 'auto' },
  URL: '{json:pasteUrl}',
}

const linkUploader: Uploader = {
  kind: 'link',
  DestinationType: 'URLShortener',
  path: '/shortener',
  data: { url: '{input}' },
  URL: '{json:shortendUrl}',
}

/** A custom uploader for ShareX (getsharex.com/docs/custom-uploader), in the syntax of version 14 and later. */
const configuration = ({ kind, DestinationType, path, data, URL }: Uploader, baseUrl: string) => ({
  Version: '15.0.0',
  Name: `Shortcrust ${kind}s at ${baseUrl.replace(/^https?:\/\//, '')}`,
  DestinationType,
  RequestMethod: 'POST',
  RequestURL: baseUrl + path,
  Headers: { key: 'YOUR_API_KEY' },
  Body: 'JSON',
  Data: JSON.stringify(data),
  URL,
  DeletionURL: '{json:deletionUrl}',
  ErrorMessage: '{json:error}',
})

const download =
  (uploader: Uploader, origin: Origin) =>
  ({ request, server }: RequestContext) => {
    const file = configuration(uploader, origin.addresses({ request, server }).baseUrl)
    return new Response(`${JSON.stringify(file, null, 2)}\n`, {
      headers: {
        ...jsonHeaders,
        'Content-Disposition': `attachment; filename="shortcrust-${uploader.kind}.sxcu"`,
      },
    })
  }

/** `GET /sharex/paste.sxcu`, `GET /sharex/link.sxcu`: this server as a ShareX uploader; the user adds the key. */
export const createSharex = (origin: Origin) => ({
  paste: download(pasteUploader, origin),
  link: download(linkUploader, origin),
})

type NamedItem = { id: string; alias?: string }
type Findable = { find: (name: string) => NamedItem | Promise<NamedItem> }

/** The address of an item as a QR code, to open it on a phone. */
export const createQr =
  (items: Findable, kind: 'paste' | 'link', origin: Origin) =>
  async ({ name, request, server }: NamedContext) => {
    const item = await items.find(name)
    const { renderSVG } = await import('uqr')
    return new Response(
      renderSVG(origin.addresses({ request, server })[kind](publicName(item)), { border: 2 }),
      {
        headers: { ...pageHeaders, 'Content-Type': 'image/svg+xml' },
      },
    )
  }
