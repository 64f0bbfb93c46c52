import type { Addresses } from '../../urls.ts'
import { optionalHeaders, withHeaders } from '../headers.ts'
import { html, schemas, textual, withOptionalKey } from '../parts.ts'
import { refusalsForAll } from '../refusals.ts'
import type { Answer, Operations, Schema } from '../types.ts'
import { limitedRefusals } from './limited.ts'
import { uploadAnswer, uploadParameters, uploadRefusals } from './uploads.ts'

const tags = ['Pages and files'] as const

/**
 * A form sends text alone, and with a key in its header the same body is a file, of any content: how a field must be is for
 * the form to say.
 */
const described = (properties: Readonly<Record<string, Schema>>) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, { description }]) => [
      name,
      { type: 'string', description } as Schema,
    ]),
  )

const formFields: Schema = {
  type: 'object',
  properties: {
    create: {
      type: 'string',
      description:
        '`paste`, `link`, or `items` for a list of what the key made; empty: a link where there is a `url` and no `text`',
    },
    key: { type: 'string', description: 'The API key' },
    ...described({ ...schemas.PasteBody.properties, ...schemas.LinkBody.properties }),
    language: {
      type: 'string',
      description: 'Language of the paste; empty: found by its title or `#!` line',
    },
    burn: { type: 'string', description: 'Not empty: the paste is deleted after its first read' },
    linkAlias: { type: 'string', description: '`alias` of a link, where the form has both' },
    linkExpiresIn: { type: 'string', description: '`expiresIn` of a link, where the form has both' },
  },
}
const form = { create: 'link', key: 'YOUR_API_KEY', url: 'https://example.org/' }

const file: Schema = { type: 'string', format: 'binary', description: 'The file of an upload' }

const formRefusals = refusalsForAll({ ...uploadRefusals, 400: 'The form cannot be read' })

/** Storage failed; or, with `Retry-After`, too many senders without a key send large forms at once. */
const busy = { ...(formRefusals[503] as Answer), ...optionalHeaders('Retry-After') }

const resultLocation = {
  description: 'The page with the result, from this address',
  required: true,
  schema: { type: 'string', pattern: '^\\./\\?created=' },
  example: './?created=23456789abcdefghjkmnpqrstu',
} as const

/** The page that creates, and its form. */
export const startPage = (addresses: Addresses): Operations => ({
  'GET /': {
    operationId: 'startPage',
    tags,
    summary: 'The page that creates pastes and short links',
    description:
      '`/?link` opens the form for short links, `/?items` the list of what was made, where scripts run.',
    parameters: [
      {
        name: 'from',
        in: 'query',
        required: false,
        description: 'Id or name of a paste: the form is filled with it, for a new paste',
        example: 'abcdefghjk',
        schema: { type: 'string' },
      },
      {
        name: 'created',
        in: 'query',
        required: false,
        description:
          'Where a form was answered with `303`: the word under which its result is kept for 15 minutes',
        example: '23456789abcdefghjkmnpqrstu',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: { description: 'The page', ...optionalHeaders('Vary', 'Content-Encoding'), content: html },
      ...refusalsForAll({
        403: limitedRefusals.paste,
        404: 'There is no paste at this address',
        410: '',
      }),
    },
  },
  'POST /': {
    operationId: 'sendForm',
    tags,
    summary: 'The forms of the start page, for browsers without JavaScript; or an upload',
    description:
      'A form has at most 20 fields, and 128 KiB where it is urlencoded. With an API key in the header `key` it takes a file as `PUT /` does: `curl -F file=@hello.js`, `curl --data-binary @hello.js`.',
    ...withOptionalKey,
    parameters: uploadParameters,
    requestBody: {
      required: true,
      content: {
        'multipart/form-data': {
          schema: { ...formFields, properties: { ...formFields.properties, file } },
          example: form,
        },
        'application/x-www-form-urlencoded': { schema: formFields, example: form },
        ...textual('text/plain'),
      },
    },
    responses: {
      200: { description: 'The list of what the key made', content: html },
      201: {
        description: 'The address of what was uploaded',
        ...withHeaders('Location', 'Deletion-Url'),
        content: uploadAnswer(addresses),
      },
      303: {
        description: 'The form created something: `Location` shows its addresses for 15 minutes',
        headers: { Location: resultLocation },
      },
      ...formRefusals,
      503: busy,
    },
  },
})
