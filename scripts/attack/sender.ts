// The process of the strangers: plays an attack by its name against a target.
import { createNotes, type Target } from './attack.ts'
import { attacks } from './list.ts'
import { serveCalls } from './processes.ts'

const holding = Promise.withResolvers<void>()
const stopped = Promise.withResolvers<void>()

const calls = {
  /** @returns what it saw, once the attack is over */
  play: async (name: string, target: Target) => {
    const attack = attacks.find((one) => one.name === name)
    if (!attack) throw new Error(`there is no attack "${name}"`)
    const notes = createNotes()
    const hold = () => {
      holding.resolve()
      return stopped.promise
    }
    await attack.send({ ...target, notes, hold })
    return notes.seen
  },
  /** Waits until the attack holds what it can. */
  holds: () => holding.promise,
  stop: () => stopped.resolve(),
}
export type Sender = typeof calls
serveCalls(calls)
