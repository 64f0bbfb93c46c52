import type { Details } from '../../describe/operation.ts'
import { example, html, json } from '../../describe/parts.ts'

const paste = { kind: 'paste', items: 2, bytes: 44 }
const item = {
  kind: 'paste',
  id: example.pasteId,
  owner: 'laptop',
  bytes: 29,
  createdAt: '2024-02-29T12:30:00.005Z',
  expiresAt: '2024-03-07T12:30:00.005Z',
}

export const ownerDetails: Details = {
  showAdmin: {
    tag: 'Pages and files',
    summary: 'The page of the owner',
    description:
      'The same empty page for everybody. Its script asks for figures and items with the admin key that the browser keeps.',
    answers: { 200: ['The page', html] },
  },
  readStats: {
    tag: 'The owner',
    summary: 'Read the figures of the server',
    description:
      'Items and bytes by key and kind, growth by day, the largest, what expires next, versions, free space. Counted in small steps; requests that come meanwhile share the result.',
    key: 'header',
    answers: {
      200: [
        'The figures',
        json('Stats', {
          success: true,
          at: '2024-02-29T12:31:00.000Z',
          totals: [paste, { kind: 'link', items: 0, bytes: 0 }],
          keys: [{ owner: 'laptop', ...paste }],
          days: [{ day: '2024-02-29', pastes: 2, links: 0 }],
          largest: [item],
          expiring: [item],
          versions: { count: 1, bytes: 15 },
          disk: { freeBytes: 5_000_000_000, totalBytes: 8_000_000_000 },
          index: 'whole',
        }),
      ],
    },
    errors: {
      401: 'The header "key" with an API key is missing',
      403: 'Only an admin key may read the figures of this server: shortcrust keys add NAME --admin makes one',
    },
  },
}
