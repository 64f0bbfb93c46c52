import type { Details, OperationParts } from '../../describe/describe.ts'
import { example, pasteErrors, pathParameter, plain, storageErrors, textual } from '../../describe/parts.ts'
import type { Content } from '../../describe/types.ts'
import { formBody, siteDetails } from '../site/detail.ts'

const { sendForm, uploadText } = siteDetails as { sendForm: OperationParts; uploadText: OperationParts }

const rustypaste = {
  tag: 'rustypaste',
  errorBody: {
    'text/plain': { schema: { type: 'string' }, example: 'This API key is not valid.\n' },
    'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } },
  },
}

const anyText = { type: 'string' }
const files: Content = {
  'application/json': {
    schema: {
      type: 'array',
      items: {
        type: 'object',
        required: ['file_name', 'file_size', 'creation_date_utc', 'expires_at_utc'],
        properties: {
          file_name: anyText,
          file_size: { type: 'integer', minimum: 1 },
          creation_date_utc: anyText,
          expires_at_utc: { anyOf: [anyText, { type: 'null' }] },
        },
      },
    },
    example: [
      {
        file_name: example.pasteId,
        file_size: 15,
        creation_date_utc: '2026-01-31 12:00:00',
        expires_at_utc: null,
      },
    ],
  },
}

export const rustypasteDetails: Details = {
  readVersion: {
    ...rustypaste,
    summary: 'The version of this server',
    description: 'As `rpaste --server-version` asks for it.',
    answers: { 200: ['The version', plain] },
  },
  listFiles: {
    ...rustypaste,
    summary: 'List the pastes of a key, as rustypaste does',
    description:
      'The newest 1,000, as `rpaste --list` asks for them. The key may stand alone in `Authorization`.',
    key: 'upload',
    answers: { 200: ['The pastes', files] },
    errors: { 401: '' },
  },
  deleteFile: {
    ...rustypaste,
    summary: 'Delete a paste of a key, as rustypaste does',
    description: 'As `rpaste --delete` does. The key may stand alone in `Authorization`.',
    key: 'upload',
    parameters: [pathParameter('name', 'Id or alias of the paste', example.pasteId)],
    answers: { 200: ['The paste is deleted', plain] },
    errors: { 401: '', ...pasteErrors, ...storageErrors },
  },
  uploadList: { ...uploadText, summary: 'Upload a file named `list`' },
  uploadVersion: { ...uploadText, summary: 'Upload a file named `version`' },
}

export const pastebinitDetails: Details = {
  sendProgramForm: {
    ...sendForm,
    tag: 'pastebinit',
    summary: 'The form of the start page, from a program',
    description:
      'A form with the fields of the start page. A form that is urlencoded and longer than 128 KiB begins with its `key`. The answer is the address alone.',
    parameters: [],
    body: formBody,
  },
  pastebinitFile: {
    tag: 'pastebinit',
    summary: 'This server as a site of pastebinit',
    description:
      'A file for `~/.pastebin.d/`. The API key is put in by hand, in the place of `YOUR_API_KEY`.',
    answers: { 200: ['The file', textual('text/plain'), 'Content-Disposition'] },
  },
}
