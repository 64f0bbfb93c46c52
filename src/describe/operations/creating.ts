import type { Addresses } from '../../urls.ts'
import { withHeaders } from '../headers.ts'
import { example, json, withKey } from '../parts.ts'
import { refusalsInJson } from '../refusals.ts'
import type { Operations } from '../types.ts'

const paste = {
  text: 'console.log(1)\n',
  title: 'Hello',
  description: 'A first paste',
  language: 'javascript',
}

const tags = ['Creating'] as const

/** What needs an API key. */
export const creating = (addresses: Addresses): Operations => ({
  'POST /paste': {
    operationId: 'createPaste',
    tags,
    summary: 'Create a paste',
    description:
      'The text is kept byte for byte. `language` is any language, alias, everyday name or ending of a file (`golang`, `c++`, `yml`, `.rs`), or `text`; the end of `/docs` lists them.',
    ...withKey,
    requestBody: { required: true, content: json('PasteBody', paste) },
    responses: {
      201: {
        description: 'The paste is on disk',
        ...withHeaders('Location'),
        content: json('PasteCreated', {
          success: true,
          message: 'Paste created',
          pasteUrl: addresses.paste(example.pasteId),
          rawUrl: addresses.rawPaste(example.pasteId),
          deletionUrl: addresses.pasteDeletion(example.pasteDeletionKey),
        }),
      },
      ...refusalsInJson({
        400: 'Invalid input format: the body is not JSON',
        401: '',
        403: '',
        409: '',
        413: '',
        422: '',
        429: '',
        503: '',
        507: '',
      }),
    },
  },

  'POST /shortener': {
    operationId: 'createLink',
    tags,
    summary: 'Create a short link',
    description: 'The address is redirected to in serialised form; it is never fetched.',
    ...withKey,
    requestBody: {
      required: true,
      content: json('LinkBody', { url: 'https://example.org/a/long/address?with=query' }),
    },
    responses: {
      201: {
        description: 'The short link is on disk',
        ...withHeaders('Location'),
        content: json('LinkCreated', {
          success: true,
          message: 'Short link created',
          shortendUrl: addresses.link(example.linkId),
          deletionUrl: addresses.linkDeletion(example.linkDeletionKey),
        }),
      },
      ...refusalsInJson({
        400: 'Invalid URL format: it must begin with http:// or https://',
        401: '',
        403: 'This API key may create pastes only; use a key that may create short links',
        409: '',
        413: 'The request body is larger than 1048576 bytes',
        422: 'Field "url" is required',
        429: '',
        503: '',
        507: '',
      }),
    },
  },
})
