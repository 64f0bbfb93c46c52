import { type Attack, repeat, usualLimits } from '../attack.ts'
import { largestBody, largestForm, pasteLimits, sized } from '../sizes.ts'

const urlencoded = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data; boundary=b'
const longBoundary = 'b'.repeat(70)
/** Room for what stands around a text. */
const around = 4096

const fill = (piece: string, bytes: number) => Buffer.alloc(bytes, piece)
const part = (name: string, value = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const end = '--b--\r\n'
const formOf = (piece: string, bytes: number) =>
  Buffer.from(part('text', fill(piece, bytes - around).toString()) + end)

/** Numbered fields until it is full. */
const numbered = (bytes: number, field: (at: string) => string, last = '') => {
  const fields: string[] = []
  for (let length = 0; length < bytes - around; length += fields.at(-1)?.length ?? 0)
    fields.push(field(fields.length.toString(36)))
  return Buffer.from(fields.join('') + last)
}

type Form = readonly [name: string, what: string, type: string, body: (bytes: number) => Uint8Array]

const forms: readonly Form[] = [
  ['empty-fields', 'an urlencoded form of a=&', urlencoded, (bytes) => fill('a=&', bytes)],
  ['many-names', 'an urlencoded form of a million names', urlencoded, (bytes) => numbered(bytes, (at) => `${at}=&`)],
  ['many-parts', 'a multipart form of many names', multipart, (bytes) => numbered(bytes, part, end)],
  ['many-dashes', 'a multipart text of \\r\\n--', multipart, (bytes) => formOf('\r\n--', bytes)],
  ['many-line-ends', 'a multipart text of \\r\\n', multipart, (bytes) => formOf('\r\n', bytes)],
  ['many-less-than', 'a multipart text of <', multipart, (bytes) => formOf('<', bytes)],
  ['near-boundaries', 'a multipart text of a boundary of 70 characters without its last', `multipart/form-data; boundary=${longBoundary}`, (bytes) => fill(`\r\n--${longBoundary.slice(1)}`, bytes)],
  ['endless-part-head', 'a multipart form whose first part has headers without end', multipart, (bytes) => fill('X-A: b\r\n', bytes).fill('--b\r\n', 0, 5)],
  ['fields-21', 'a multipart form of 21 fields', multipart, () => numbered(around + 21 * part('0').length, part, end)],
] // biome-ignore format: a table to skim

const formAttack = ([name, what, type, body]: Form, senders: number, size: string): Attack => ({
  name: `${name}/${senders}${sized(size).suffix}`,
  what: `${what}, without a key${sized(size).words}`,
  senders,
  ...sized(size).flags,
  limits: { ...usualLimits(senders), 'answer MB': 1 },
  isInShortRun: size === '1MiB' || (senders === 100 && name === 'many-less-than'),
  send: async (stage) => {
    const sizes = [largestBody(size), largestForm(size, type === urlencoded)]
    // A form of 21 fields has one size.
    const bodies = new Map(sizes.map(body).map((one) => [one.length, one]))
    const headers = [`Content-Type: ${type}`]
    for (const one of bodies.values())
      await repeat(stage, senders, { method: 'POST', headers, body: one }, (answer) => {
        stage.notes.expectRefusal(answer)
        stage.notes.most('answer MB', answer.bytes / 1e6)
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
