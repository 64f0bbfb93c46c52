// `bun scripts/bench/keyless.ts [TURNS]`: how creations without a key compare with those of a key, on one server, in turns.
// A guest's creation is a `POST /paste` without a key. By netcat, the time counts from the half-close to the answer, and
// beside it that of a `PUT` of the same text.
import { examplePaste } from '../../test/support/client.ts'
import { ownMilliseconds } from '../../test/support/memory.ts'
import { netcatPort, openNetcat, withNetcat } from '../../test/support/netcat.ts'
import { start, testKey } from '../../test/support/process.ts'
import { productArgs } from './product.ts'

const turns = Number(process.argv[2] ?? 15)
const [perTurn, senders] = [400, 8]

const server = await start({ args: [...productArgs, ...withNetcat] })
const port = await netcatPort(server)

/** @returns milliseconds by the clock, and of the server's processor */
const timed = async (create: () => Promise<number>) => {
  const [began, before] = [performance.now(), ownMilliseconds(server.pid)]
  const one = async () => {
    for (let at = 0; at < perTurn / senders; at++)
      if ((await create()) !== 201) throw new Error('nothing was created')
  }
  await Promise.all(Array.from({ length: senders }, one))
  return { clock: performance.now() - began, own: ownMilliseconds(server.pid) - before }
}

const body = JSON.stringify(examplePaste)
const creator = (headers: Record<string, string>) => async () => {
  const answer = await fetch(`${server.url}/paste`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  })
  await answer.arrayBuffer()
  return answer.status
}

const sorted = (values: number[]) => values.sort((a, b) => a - b)
const at = (values: number[], share: number) =>
  sorted(values)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN
const spread = (values: number[], digits: number) =>
  `${at(values, 0.5).toFixed(digits)} (${at(values, 0).toFixed(digits)} to ${at(values, 1).toFixed(digits)})`

const compareGuests = async () => {
  const [byKey, byGuest] = [creator({ key: testKey }), creator({})]
  await timed(byKey)
  await timed(byGuest)
  const ratios = { clock: [] as number[], own: [] as number[] }
  for (let turn = 0; turn < turns; turn++) {
    const [key, guest] =
      turn % 2
        ? [await timed(byKey), await timed(byGuest)]
        : [await timed(byGuest), await timed(byKey)].reverse()
    if (!key || !guest) continue
    ratios.clock.push(key.clock / guest.clock)
    ratios.own.push(key.own / guest.own)
  }
  console.log(`a guest's creations per second, of those of a key: ${spread(ratios.clock, 2)}`)
  console.log(`the same per second of the server's processor: ${spread(ratios.own, 2)}`)
}

const answerTime = async (text: string) => {
  const connection = await openNetcat(port)
  await connection.write(text)
  const began = performance.now()
  connection.end()
  const answer = await connection.answer
  connection.close()
  if (!answer.startsWith('http')) throw new Error(answer)
  return performance.now() - began
}

const uploadTime = async (text: string) => {
  const began = performance.now()
  const answer = await fetch(`${server.url}/answer.ts`, {
    method: 'PUT',
    headers: { key: testKey },
    body: text,
  })
  if (answer.status !== 201) throw new Error(await answer.text())
  await answer.text()
  return performance.now() - began
}

const compareNetcat = async (bytes: number) => {
  const text = 'const answer: number = 42\n'.repeat(bytes / 26)
  const [netcat, upload]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < 4 * turns; turn++) {
    netcat.push(await answerTime(text))
    upload.push(await uploadTime(text))
  }
  const ratio = at(netcat, 0.5) / at(upload, 0.5)
  console.log(
    `${bytes} bytes by netcat: ${spread(netcat, 1)} ms after the half-close, ${ratio.toFixed(2)} of a PUT`,
  )
}

try {
  await compareGuests()
  for (const bytes of [2000, 100_000, 1_000_000]) await compareNetcat(bytes)
} finally {
  await server.stop()
}
