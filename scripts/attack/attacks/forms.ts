import { type Attack, usualLimits } from '../attack.ts'
import { largestBody, maxPaste, pasteLimits, suffix } from '../sizes.ts'
import { ask, atOnce } from '../wire.ts'

const boundary = 'b'
const urlencoded = 'application/x-www-form-urlencoded'
const multipart = `multipart/form-data; boundary=${boundary}`

const fill = (piece: string, bytes: number) => Buffer.alloc(bytes, piece)
const part = (name: string, value: Uint8Array | string) =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
    Buffer.from(value as string),
    Buffer.from('\r\n'),
  ])
const end = Buffer.from(`--${boundary}--\r\n`)
/** A form with one text that leaves room for what stands around it. */
const formOfText = (piece: string, bytes: number) =>
  Buffer.concat([part('text', fill(piece, bytes - 4096)), end])
/** Numbered fields until it is full. */
const numbered = (bytes: number, field: (at: number) => string) => {
  const fields: string[] = []
  for (let length = 0, at = 0; length < bytes - 4096; at++) {
    const text = field(at)
    fields.push(text)
    length += text.length
  }
  return fields.join('')
}

type Form = { name: string; what: string; type: string; body: (bytes: number) => Uint8Array }

const forms: readonly Form[] = [
  {
    name: 'empty-fields',
    what: 'an urlencoded form of a=&',
    type: urlencoded,
    body: (bytes) => fill('a=&', bytes),
  },
  {
    name: 'many-names',
    what: 'an urlencoded form of a million names',
    type: urlencoded,
    body: (bytes) => Buffer.from(numbered(bytes, (at) => `${at.toString(36)}=&`)),
  },
  {
    name: 'many-parts',
    what: 'a multipart form of many names',
    type: multipart,
    body: (bytes) => Buffer.from(numbered(bytes, (at) => part(String(at), '').toString()) + end),
  },
  {
    name: 'many-dashes',
    what: 'a multipart text of \\r\\n--',
    type: multipart,
    body: (bytes) => formOfText('\r\n--', bytes),
  },
  {
    name: 'many-line-ends',
    what: 'a multipart text of \\r\\n',
    type: multipart,
    body: (bytes) => formOfText('\r\n', bytes),
  },
  {
    name: 'many-less-than',
    what: 'a multipart text of <',
    type: multipart,
    body: (bytes) => formOfText('<', bytes),
  },
  {
    name: 'near-boundaries',
    what: 'a multipart text of a boundary of 70 characters without its last',
    type: `multipart/form-data; boundary=${'b'.repeat(70)}`,
    body: (bytes) => fill(`\r\n--${'b'.repeat(69)}`, bytes),
  },
  {
    name: 'endless-part-head',
    what: 'a multipart form whose first part has headers without end',
    type: multipart,
    body: (bytes) => Buffer.concat([Buffer.from(`--${boundary}\r\n`), fill('X-A: b\r\n', bytes - 4096)]),
  },
  {
    name: 'fields-21',
    what: 'a multipart form of 21 fields',
    type: multipart,
    body: () => Buffer.from(Array.from({ length: 21 }, (_, at) => part(`f${at}`, 'x')).join('') + end),
  },
]

const formAttack = ({ name, what, type, body }: Form, senders: number, size: string): Attack => ({
  name: `${name}/${senders}${suffix(size)}`,
  what: `${what}, without a key${size === '1MiB' ? '' : `, --max-paste ${size}`}`,
  senders,
  ...maxPaste(size),
  limits: { ...usualLimits(senders), 'answer MB': 1 },
  isInShortRun: size === '1MiB' || (senders === 100 && type === multipart),
  send: async ({ url, times, notes }) => {
    const bytes = body(largestBody(size))
    for (let at = 0; at < times; at++)
      await atOnce(senders, async () => {
        const answer = await ask(url, { method: 'POST', headers: [`Content-Type: ${type}`], body: bytes })
        notes.expectRefusal(answer)
        notes.most('answer MB', answer.bytes / 1e6)
      })
  },
})

const [emptyFields, manyNames] = forms as readonly [Form, Form, ...Form[]]

/** Forms that a stranger posts to the start page. */
export const formAttacks: readonly Attack[] = [
  ...forms.flatMap((form) =>
    pasteLimits.flatMap((size) => [1, 100].map((senders) => formAttack(form, senders, size))),
  ),
  formAttack(emptyFields, 1, '4MiB'),
  formAttack(manyNames, 6, '1MiB'),
]
