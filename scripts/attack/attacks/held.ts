import { createClient } from '../../../test/support/client.ts'
import { testKey } from '../../../test/support/process.ts'
import { type Attack, type Stage, usualLimits } from '../attack.ts'
import { largestBody, maxPaste, pasteLimits, suffix } from '../sizes.ts'
import { ask, atOnce, openWire } from '../wire.ts'

const senders = 100
const withheldBytes = 10

type Address = { name: string; method: string; path: string; type: string }

const json = 'application/json'
const octets = 'application/octet-stream'
const form = 'multipart/form-data; boundary=b'
const addresses: readonly Address[] = [
  { name: 'form', method: 'POST', path: '/', type: form },
  { name: 'paste', method: 'POST', path: '/paste', type: json },
  { name: 'shortener', method: 'POST', path: '/shortener', type: json },
  { name: 'documents', method: 'POST', path: '/documents', type: octets },
  { name: 'put', method: 'PUT', path: '/', type: octets },
  { name: 'put-name', method: 'PUT', path: '/name.txt', type: octets },
  { name: 'get', method: 'GET', path: '/', type: octets },
  { name: 'delete', method: 'DELETE', path: '/pastes/abcdefghij', type: json },
  { name: 'unknown-method', method: 'PROPFIND', path: '/', type: octets },
  { name: 'nowhere', method: 'POST', path: '/no/such/address', type: octets },
]

const formText = (text: string, key?: string) => {
  const body = new FormData()
  // The key comes first, as in the form of the start page.
  if (key !== undefined) body.append('key', key)
  for (const [name, value] of Object.entries({ text, title: '', description: '', language: 'text' }))
    body.append(name, value)
  return body
}

/** Whoever has a key creates in three ways and must not be held up; a newcomer without one may be asked to come back. */
const createMeanwhile = async ({ url, times, notes }: Omit<Stage, 'hold'>) => {
  const { post } = createClient(url)
  const creations = {
    json: () => post('/paste', { text: 'a', title: '', description: '', language: 'text' }),
    upload: () => fetch(`${url}/name.txt`, { method: 'PUT', headers: { key: testKey }, body: 'a text' }),
    form: () => fetch(url, { method: 'POST', body: formText('a text', testKey) }),
  }
  for (let at = 0; at < times + 1; at++)
    for (const [name, create] of Object.entries(creations)) {
      const began = performance.now()
      const { status } = await create()
      notes.most('creation ms', performance.now() - began)
      if (status !== 201) notes.wrong(`a creation by ${name} with a key answered ${status}`)
    }
  const newcomer = await ask(url, { method: 'POST', headers: [`Content-Type: ${form}`], body: '--b--\r\n' })
  notes.expectRefusal(newcomer)
}

const heldBodies = ({ name, method, path, type }: Address, size: string): Attack => ({
  name: `held-${name}/${senders}${suffix(size)}`,
  what: `bodies for ${method} ${path} that stop 10 bytes before their end, without a key${size === '1MiB' ? '' : `, --max-paste ${size}`}`,
  senders,
  ...maxPaste(size),
  limits: {
    ...usualLimits(senders),
    // A creation waits for the disk, so it may take twice as long as a stall.
    ...(name === 'form' && { 'creation ms': 500 }),
  },
  isInShortRun: size === '1MiB' || name === 'form',
  ...(name === 'form' && { meanwhile: createMeanwhile }),
  send: async ({ url, notes, hold }) => {
    // The length that the whole body would have; what is in it matters to nobody who has no key.
    const body = Buffer.alloc(largestBody(size), 'x')
    const wires = await atOnce(senders, () => openWire(url))
    const answered = wires.map((wire) =>
      wire.ask({ method, path, headers: [`Content-Type: ${type}`], body, withheldBytes }),
    )
    // Whoever was refused asks for no more; the others hold their connection until the end.
    await hold()
    for (const wire of wires) wire.close()
    for (const answer of await Promise.all(answered))
      if (method === 'GET') notes.expect(answer, 200, 400, 413, 'cut off')
      else notes.expectRefusal(answer)
  },
})

/** Bodies that never end, at every address. */
export const heldAttacks: readonly Attack[] = addresses.flatMap((address) =>
  pasteLimits.map((size) => heldBodies(address, size)),
)
