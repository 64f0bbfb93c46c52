import { randomBytes } from 'node:crypto'
import { openNetcat, withNetcat } from '../../../test/support/netcat.ts'
import { type Attack, holdOpen, type Stage, untilHeld, usualLimits } from '../attack.ts'
import { atOnce, openWire } from '../wire.ts'

type Sender = Awaited<ReturnType<typeof openNetcat>>

const mebibyte = 1024 ** 2

/** Each comes from another address, or one address alone would be bounded. */
const addressOf = (at: number) => `127.0.0.${2 + (at % 250)}`

/** The answer is the address of a page, or one line that says why not; or the sender is cut off. */
const expectLine = ({ notes }: Pick<Stage, 'notes'>, answer: string) => {
  if (/<[\w ]+>$/.test(answer)) return notes.count('cut off')
  // A sender of HTTP gets the line as a page.
  if (!/^(HTTP\/1\.1 400 [\s\S]+\r\n\r\n)?[^\n]+\n$/.test(answer))
    return notes.wrong('an answer is not one line')
  notes.count(answer.startsWith('http') ? 'page' : 'refused')
}

type Kind = {
  name: string
  what: string
  senders: number
  send: Attack['send']
}
const attack = ({ name, what, senders, send }: Kind): Attack => ({
  name: `netcat-${name}/${senders}`,
  what: `by netcat, ${what}`,
  senders,
  args: withNetcat,
  limits: usualLimits(senders),
  send,
})

/** Connections that are held open. @param begin what each sends first. @param next what it sends again and again */
const held = (name: string, what: string, senders: number, begin: string, next: string) =>
  attack({
    name,
    what,
    senders,
    send: async (stage) => {
      const url = `tcp://127.0.0.1:${stage.stock.netcatPort}`
      const wires = await atOnce(senders, (at) => openWire(url, addressOf(at)))
      await holdOpen(stage, wires, (wire) => wire.write(begin), next)
    },
  })

/** Senders that come again and again until the attack is over. */
const again = (name: string, what: string, senders: number, one: (sender: Sender) => Promise<string>) =>
  attack({
    name,
    what,
    senders,
    send: (stage) =>
      untilHeld(stage, senders, async (isOver, at) => {
        while (!isOver()) {
          const sender = await openNetcat(Number(stage.stock.netcatPort), { from: addressOf(at) })
          expectLine(stage, await one(sender))
          sender.close()
        }
      }),
  })

const pour = async ({ socket, answer }: Sender) => {
  const piece = Buffer.alloc(65_536, 'x')
  const write = () => {
    while (socket.writable && socket.write(piece));
  }
  socket.on('drain', write)
  write()
  const line = await answer
  socket.off('drain', write)
  return line
}

const binary = randomBytes(mebibyte)

const sendAll =
  (text: string | Uint8Array) =>
  ({ socket, answer }: Sender) => {
    socket.end(text)
    return answer
  }

/** Senders to the netcat port, all of them guests. */
export const netcatAttacks: readonly Attack[] = [
  held('silent', 'connections that say nothing', 2000, '', ''),
  held('slow', 'texts that never end, two bytes at a time', 1000, '', 'xx'),
  held('long', 'texts of nearly 1 MiB that never end', 100, 'x'.repeat(mebibyte - 100), 'x'),
  again('endless', 'texts poured in without an end, whatever the answer is', 100, pour),
  again('binary', '1 MiB of random bytes', 100, sendAll(binary)),
  again('many', 'small texts from very many senders at once', 1000, sendAll('a text\n')),
  again('http', 'requests of HTTP with a body', 100, sendAll(`POST / HTTP/1.1\r\n\r\n${'x'.repeat(1000)}`)),
]
