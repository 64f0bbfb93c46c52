// The process of the strangers: takes an attack by its name and a target over IPC, and tells what it saw.
import { createNotes, type Seen, type Target } from './attack.ts'
import { attacks } from './list.ts'

export type SenderOrder = { name: string; target: Target } | 'stop'
export type SenderNews = 'ready' | 'holding' | { seen: Seen } | { failure: string }

const tell = (news: SenderNews) => process.send?.(news)
const stop = Promise.withResolvers<void>()

const play = async (name: string, target: Target) => {
  const attack = attacks.find((one) => one.name === name)
  if (!attack) throw new Error(`there is no attack "${name}"`)
  const notes = createNotes()
  const hold = () => {
    tell('holding')
    return stop.promise
  }
  await attack.send({ ...target, notes, hold })
  return notes.seen
}

process.on('message', async (order: SenderOrder) => {
  if (order === 'stop') return stop.resolve()
  try {
    tell({ seen: await play(order.name, order.target) })
  } catch (error) {
    tell({ failure: String((error as Error).stack) })
  }
})
process.on('disconnect', () => process.exit(0))
tell('ready')
