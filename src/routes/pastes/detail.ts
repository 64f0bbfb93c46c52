import { type Details, errorContent, type OperationParts } from '../../describe/describe.ts'
import {
  burningErrors,
  countErrors,
  creationErrors,
  documentId,
  type Errors,
  example,
  html,
  ifNoneMatch,
  json,
  languageAsked,
  optionalQuery,
  partParameters,
  pasteErrors,
  pasteId,
  pathParameter,
  plain,
  query,
  showAsked,
  textual,
  unknownLanguage,
  uploadErrors,
  uploaded,
  uploadParameters,
} from '../../describe/parts.ts'
import { rangeRule } from '../../items/text/text-part.ts'

const { pasteUrl, rawUrl, text, heading } = example
const paste = { id: example.pasteId, ...heading, text, createdAt: '2026-01-31T12:00:00.000Z', version: 1 }

const readErrors: Errors = { ...pasteErrors, 403: burningErrors.paste }
const notModified = 'The client has it already'
const consumeErrors: Errors = {
  ...pasteErrors,
  405: 'Method not allowed. Allowed here: GET, HEAD, OPTIONS',
  410: 'This paste was read as often as allowed, was deleted or has expired',
  ...countErrors('paste'),
}
const allow = 'GET, HEAD, OPTIONS'
const counts =
  'The read is on disk before the answer leaves; the last one erases the paste. No body is needed, and no key. A paste that does not burn is read by `GET`: 405.'
const parts =
  'with `lines` or `grep`, only some of its lines, with their ends as they are. A part without any line is an empty answer.'
const wrongPart = `"lines" ${rangeRule}`

export const pasteDetails: Details = {
  createPaste: {
    tag: 'Creating',
    summary: 'Create a paste',
    description:
      'The text is kept byte for byte. `language` is any language, alias, everyday name or ending of a file (`golang`, `c++`, `yml`, `.rs`), or `text`; the end of `/docs` lists them. With `auto` it is detected from the title and the text, and the answer has the `language` that was found: `text` unless it is sure.',
    key: 'header',
    body: json('PasteBody', { text, ...heading }),
    answers: {
      201: [
        'The paste is on disk',
        json('PasteCreated', {
          success: true,
          message: 'Paste created',
          ...{ pasteUrl, rawUrl },
          deletionUrl: `{baseUrl}/paste/delete?key=${example.pasteDeletionKey}`,
        }),
        'Location',
      ],
      200: [
        'With `replace`: the paste that the name led to is changed, and that is on disk',
        json('PasteCreated', { success: true, message: 'Paste changed', pasteUrl, rawUrl }),
      ],
    },
    errors: { ...creationErrors, 400: 'Invalid input format: the body is not JSON' },
  },
  readPaste: {
    tag: 'Reading',
    summary: 'Read a paste',
    description:
      'As a page, as JSON or as plain text: the `Accept` header chooses, and a page is the rule. Of a burn-after-reading paste there is only a page with a button that sends `POST`.',
    parameters: [pasteId, languageAsked, ...showAsked, ifNoneMatch],
    answers: {
      200: [
        'The paste; or, without these headers, the page of a burn-after-reading one',
        { ...html, ...json('PublicPaste', paste), ...plain },
        ...(['ETag?', 'Vary?', 'Content-Encoding'] as const),
      ],
      304: [notModified, undefined, 'ETag', 'Vary', 'Content-Encoding'],
    },
    errors: { ...readErrors, 422: unknownLanguage },
  },
  consumePaste: {
    tag: 'Reading',
    summary: 'Read a burn-after-reading paste',
    description: `As a page, as JSON or as plain text, like \`GET\`. ${counts}`,
    parameters: [pasteId, languageAsked, ...showAsked],
    answers: {
      200: [
        'The paste',
        { ...html, ...json('PublicPaste', { ...paste, maxReads: 3, readsLeft: 2 }), ...plain },
      ],
    },
    errors: { ...consumeErrors, 422: unknownLanguage },
    allow,
  },
  readRawPaste: {
    tag: 'Reading',
    summary: 'Read the text of a paste alone',
    description: `The very bytes that were sent; ${parts}`,
    parameters: [pasteId, ...partParameters, ifNoneMatch],
    answers: { 200: ['The text', plain, 'ETag', 'Vary'], 304: [notModified, undefined, 'ETag', 'Vary'] },
    errors: { ...readErrors, 422: wrongPart },
  },
  consumeRawPaste: {
    tag: 'Reading',
    summary: 'Read the text of a burn-after-reading paste alone',
    description: `The whole text; ${parts} ${counts}`,
    parameters: [pasteId, ...partParameters],
    answers: { 200: ['The text', plain] },
    errors: { ...consumeErrors, 422: wrongPart },
    allow,
  },

  createDocument: {
    tag: 'Other clients',
    summary: 'Create a paste, as hastebin does',
    description:
      'The body is the text, of any type and in UTF-8. A key may also come as `Bearer` or `Basic`.',
    key: 'any',
    parameters: uploadParameters,
    body: uploaded,
    answers: {
      200: ['The paste is on disk', json('HasteCreated', { key: example.pasteId }), 'Deletion-Url?'],
    },
    errors: uploadErrors,
  },
  readDocument: {
    tag: 'Other clients',
    summary: 'Read a paste, as hastebin does',
    description: 'Its text as a field of JSON.',
    parameters: [documentId('id'), ifNoneMatch],
    answers: {
      200: ['The paste', json('HasteDocument', { key: example.pasteId, data: text }), 'ETag'],
      304: [notModified, undefined, 'ETag'],
    },
    errors: readErrors,
  },
  readRawDocument: {
    tag: 'Other clients',
    summary: 'Read the text of a paste alone, as hastebin does',
    description: 'The same answer as at `/p/raw/{id}`.',
    parameters: [documentId('id'), ...partParameters, ifNoneMatch],
    answers: { 200: ['The text', plain, 'ETag', 'Vary'], 304: [notModified, undefined, 'ETag', 'Vary'] },
    errors: { ...readErrors, 422: wrongPart },
  },
}

const patch = textual('text/x-diff')

const errors: Errors = {
  ...pasteErrors,
  403: 'The paste "7y84tyt5ec" burns after reading, so it cannot be compared.',
}

const otherPaste = pathParameter(
  'other',
  'Id or alias of the newer paste; with `.patch` at its end, the patch is a file to save',
  'b8s2mkt9wq',
)

export const diffView = optionalQuery(
  'view',
  'How the page shows it. Any other value is 422; a browser gets the page with a notice',
  'split',
  { type: 'string', enum: ['unified', 'split'] },
)

const comparedHeaders = ['Vary', 'Content-Encoding', 'Content-Disposition?'] as const
const late = errorContent(503, 'Comparing these texts took too long. Try again in a moment.')
/** How a comparison is answered. */
export const compared: OperationParts['answers'] = {
  200: ['How they differ', { ...html, ...patch }, 'ETag?', ...comparedHeaders],
  503: ['Comparing them took too long', late, 'Retry-After?'],
  304: [notModified, undefined, 'ETag', ...comparedHeaders],
}
export const tooDifferent = 'These texts differ too much to be compared line by line'

export const diffDetails: Details = {
  comparePastes: {
    tag: 'Reading',
    summary: 'Compare two pastes',
    description:
      'Line by line: as a page for browsers, else as a unified diff that `patch` takes, empty if the texts are the same. Counts as no read. Pastes that differ too much are 422; the page says so.',
    parameters: [pasteId, otherPaste, diffView, ifNoneMatch],
    answers: compared,
    errors: { ...errors, 422: tooDifferent },
  },
  askToCompare: {
    tag: 'Pages and files',
    summary: 'Ask what to compare a paste with',
    description: 'The form of this page sends `with`, which leads to the comparison.',
    parameters: [
      pasteId,
      query(
        'with',
        'Address, id or name of the other paste. Without it, a browser gets the form',
        'b8s2mkt9wq',
      ),
    ],
    answers: {
      200: ['The form', html],
      302: ['To the comparison', html, 'Location'],
    },
    errors: {
      ...errors,
      422: 'This is not the address, the id or the name of a paste. Copy the address of its page.',
    },
  },
}
