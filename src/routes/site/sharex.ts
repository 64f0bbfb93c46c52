import { jsonHeaders } from '../../http/answers.ts'
import type { Origin } from '../../http/origin.ts'
import type { RequestContext } from '../../http/routes.ts'

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
