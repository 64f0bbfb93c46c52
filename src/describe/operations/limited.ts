import { withHeaders } from '../headers.ts'
import { example, examplePaste, html, json, languageAsked, linkId, pasteId, textual } from '../parts.ts'
import { refusalsForAll } from '../refusals.ts'
import type { Operations } from '../types.ts'

const tags = ['Reading'] as const

/** What a `GET` of a limited item tells programs. */
export const limitedRefusals = {
  paste: `This paste is limited, and each read counts. Send POST to /p/raw/${example.pasteId} to read it, or open /p/${example.pasteId} in a browser.`,
  link: `This short link is limited, and each visit counts. Send POST to /s/${example.linkId} to follow it, or open it in a browser.`,
}

const storage = (kind: string) => {
  const text = `The ${kind} is not shown, because that could not be counted. Try again later.`
  return { 503: text, 507: text }
}
const notLimited = 'Method not allowed. Allowed here: GET, HEAD, OPTIONS'

const pasteRefusals = {
  404: 'There is no paste at this address',
  405: notLimited,
  410: 'This paste was read as often as it may be, was deleted or has expired',
  ...storage('paste'),
}

const counts =
  'The read is on disk before the answer leaves; the last one erases the paste. No body is needed, and no key. A paste that is not limited is read by `GET`: 405.'

/** Items that were created with `maxReads` or `maxVisits`: each of these requests counts, and no other does. */
export const limited: Operations = {
  'POST /p/{id}': {
    operationId: 'spendPaste',
    tags,
    summary: 'Read a limited paste',
    description: `As a page, as JSON or as plain text, like \`GET\`. ${counts}`,
    parameters: [pasteId, languageAsked],
    responses: {
      200: {
        description: 'The paste',
        content: {
          ...html,
          ...json('PublicPaste', { ...examplePaste, maxReads: 3, readsLeft: 2 }),
          ...textual('text/plain'),
        },
      },
      ...refusalsForAll({
        ...pasteRefusals,
        422: '"lang" is not a known language; the nearest one is "python"',
      }),
    },
  },

  'POST /p/raw/{id}': {
    operationId: 'spendRawPaste',
    tags,
    summary: 'Read the text of a limited paste alone',
    description: counts,
    parameters: [pasteId],
    responses: {
      200: { description: 'The text', content: textual('text/plain') },
      ...refusalsForAll(pasteRefusals),
    },
  },

  'POST /s/{id}': {
    operationId: 'spendLink',
    tags,
    summary: 'Follow a limited short link',
    description:
      'The visit is on disk before the answer leaves; the last one erases the link. A link that is not limited is followed by `GET`: 405.',
    parameters: [linkId],
    responses: {
      303: { description: 'The address it goes to', ...withHeaders('Location'), content: html },
      ...refusalsForAll({
        404: 'There is no short link at this address',
        405: 'Method not allowed. Allowed here: GET, HEAD',
        410: 'This short link was followed as often as it may be, was deleted or has expired',
        ...storage('short link'),
      }),
    },
  },
}
