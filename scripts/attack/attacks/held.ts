import { createClient } from '../../../test/support/client.ts'
import { testKey } from '../../../test/support/process.ts'
import { type Attack, type Stage, usualLimits } from '../attack.ts'
import { largestBody, largestForm, pasteLimits, sized } from '../sizes.ts'
import { ask, atOnce, openWire } from '../wire.ts'

const senders = 100
const withheldBytes = 10
/** How many times the length of an attack its bodies may take to be sent. */
const patience = 5

const json = 'application/json'
const octets = 'application/octet-stream'
const form = 'multipart/form-data; boundary=b'

type Address = readonly [name: string, method: string, path: string, type: string]
const addresses: readonly Address[] = [
  ['form', 'POST', '/', form],
  ['paste', 'POST', '/paste', json],
  ['shortener', 'POST', '/shortener', json],
  ['documents', 'POST', '/documents', octets],
  ['put', 'PUT', '/', octets],
  ['put-name', 'PUT', '/name.txt', octets],
  ['get', 'GET', '/', octets],
  ['delete', 'DELETE', '/pastes/abcdefghij', json],
  ['deletion', 'POST', '/paste/delete?key=abcdefghij', octets],
  ['nowhere', 'POST', '/no/such/address', octets],
]

const partHead = '--b\r\nContent-Disposition: form-data; name="text"\r\n\r\n'

/** A form is read while it comes; what is in any other body matters to nobody who has no key. */
const bodyFor = (type: string, size: string) => {
  if (type !== form) return Buffer.alloc(largestBody(size), 'x')
  const body = Buffer.alloc(largestForm(size, false), 'x')
  body.write(partHead)
  return body
}

const fields = { text: 'a text', title: '', description: '', language: 'text' }
/** The key comes first, as in the form of the start page. */
const filledForm = () => {
  const body = new FormData()
  for (const [name, value] of Object.entries({ key: testKey, ...fields })) body.append(name, value)
  return body
}

/** A key holder creates in three ways and must not be held up. A newcomer without a key may be asked to come back. */
const createMeanwhile = async ({ url, times, notes }: Omit<Stage, 'hold'>) => {
  const creations = {
    json: () => createClient(url).post('/paste', fields),
    upload: () => fetch(`${url}/name.txt`, { method: 'PUT', headers: { key: testKey }, body: 'a text' }),
    form: () => fetch(url, { method: 'POST', body: filledForm() }),
  }
  for (let at = 0; at < times + 1; at++)
    for (const [name, create] of Object.entries(creations)) {
      const began = performance.now()
      const { status } = await create()
      notes.most('creation ms', performance.now() - began)
      if (status !== 201) notes.wrong(`a creation by ${name} with a key answered ${status}`)
    }
  notes.expectRefusal(
    await ask(url, { method: 'POST', headers: [`Content-Type: ${form}`], body: '--b--\r\n' }),
  )
}

const heldBodies = ([name, method, path, type]: Address, size: string): Attack => ({
  name: `held-${name}/${senders}${sized(size).suffix}`,
  what: `bodies for ${method} ${path} that stop 10 bytes before their end, without a key${sized(size).words}`,
  senders,
  ...sized(size).flags,
  // A creation waits for the disk, so it may take twice as long as a stall.
  limits: { ...usualLimits(senders), ...(name === 'form' && { 'creation ms': 500 }) },
  isInShortRun: size === '1MiB' || name === 'form',
  ...(name === 'form' && { meanwhile: createMeanwhile }),
  send: async ({ url, seconds, notes, hold }) => {
    const headers = [`Content-Type: ${type}`]
    const request = { method, path, headers, body: bodyFor(type, size), withheldBytes }
    const wires = await atOnce(senders, () => openWire(url))
    const sendings = wires.map((wire) => wire.send(request))
    // A server that reads no further is right: what it does not take is not waited for.
    await Promise.race([Promise.all(sendings.map(({ sent }) => sent)), Bun.sleep(seconds * patience * 1000)])
    await hold()
    for (const wire of wires) wire.close()
    for (const answer of await Promise.all(sendings.map(({ answered }) => answered)))
      if (method === 'GET') notes.expect(answer, 200, 400, 413, 'cut off')
      else notes.expectRefusal(answer)
  },
})

/** Bodies that never end, at every address. */
export const heldAttacks: readonly Attack[] = addresses.flatMap((address) =>
  pasteLimits.map((size) => heldBodies(address, size)),
)
