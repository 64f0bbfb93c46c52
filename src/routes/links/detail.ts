import type { Details } from '../../describe/describe.ts'
import {
  burningErrors,
  countErrors,
  creationErrors,
  example,
  html,
  json,
  linkErrors,
  linkId,
} from '../../describe/parts.ts'

export const linkDetails: Details = {
  createLink: {
    tag: 'Creating',
    summary: 'Create a short link',
    description: 'The address is redirected to in serialised form; it is never fetched.',
    key: 'header',
    body: json('LinkBody', { url: example.target }),
    answers: {
      201: [
        'The short link is on disk',
        json('LinkCreated', {
          success: true,
          message: 'Short link created',
          shortendUrl: example.shortendUrl,
          deletionUrl: `{baseUrl}/shortener/delete?key=${example.linkDeletionKey}`,
        }),
        'Location',
      ],
      200: [
        'With `replace`: the link that the name led to is changed, and that is on disk',
        json('LinkCreated', {
          success: true,
          message: 'Short link changed',
          shortendUrl: example.shortendUrl,
        }),
      ],
    },
    errors: {
      ...creationErrors,
      400: 'Invalid URL format: it must begin with http:// or https://',
      403: 'This API key may create pastes only; use a key that may create short links',
      413: 'The request body is larger than 1048576 bytes',
      422: 'Field "url" is required',
    },
  },
  followLink: {
    tag: 'Reading',
    summary: 'Follow a short link',
    description: 'No cache may keep the answer, so that a deleted link stops working at once.',
    parameters: [linkId],
    answers: {
      200: ['For browsers, the page of a burn-after-reading link, with a button that follows it', html],
      302: ['The address it goes to', html, 'Location'],
    },
    errors: { ...linkErrors, 403: burningErrors.link },
  },
  consumeLink: {
    tag: 'Reading',
    summary: 'Follow a burn-after-reading short link',
    description:
      'The visit is on disk before the answer leaves; the last one erases the link. A link that does not burn is followed by `GET`: 405.',
    parameters: [linkId],
    answers: { 303: ['The address it goes to', html, 'Location'] },
    errors: {
      ...linkErrors,
      405: 'Method not allowed. Allowed here: GET, HEAD',
      410: 'This short link was followed as often as allowed, was deleted or has expired',
      ...countErrors('short link'),
    },
    allow: 'GET, HEAD',
  },
  previewLink: {
    tag: 'Reading',
    summary: 'See where a short link goes, without going there',
    description: 'Counts as no visit.',
    parameters: [linkId],
    answers: {
      200: [
        'A page that shows the address, and how often it was followed; or that the link burns after its last visit',
        html,
      ],
    },
    errors: linkErrors,
  },
}
