import { testKey } from '../../../test/support/process.ts'
import { type Attack, onePaste, untilHeld, usualLimits } from '../attack.ts'
import { ask, jsonHeaders, openWire } from '../wire.ts'
import { type Flood, flood } from './floods.ts'

const json = 'Content-Type: application/json'
const holder = `key: ${testKey}`
const browser = 'Accept: text/html'
const mebibyte = 1024 ** 2

const bodyOf = (at: number) => JSON.stringify({ text: `${at}`.padEnd(mebibyte, 'x') })

const fromHolders: readonly Flood[] = [
  ['change', 'a paste of 1 MiB is changed by its key', [200], (at, id) => ({ method: 'PATCH', path: `/pastes/${id}`, headers: jsonHeaders, body: bodyOf(at) })],
  ['change-what-was-changed', 'the same, with an If-Match that is old', [200, 412], (at, id) => ({ method: 'PATCH', path: `/pastes/${id}`, headers: [...jsonHeaders, 'If-Match: "1.0"'], body: bodyOf(at) })],
  ['versions', 'a key holder lists the versions of a paste', [200], (_, id) => ({ path: `/pastes/${id}/versions`, headers: [holder] })],
] // biome-ignore format: a table to skim

const fromStrangers: readonly Flood[] = [
  ['change-without-key', 'bodies of 1 MiB from strangers who would change it', [401], (at, id) => ({ method: 'PATCH', path: `/pastes/${id}`, headers: [json], body: bodyOf(at) })],
  ['versions-without-key', 'strangers ask for an earlier version', [401], (_, id) => ({ path: `/pastes/${id}/versions/1`, headers: [`key: ${'x'.repeat(100)}`] })],
] // biome-ignore format: a table to skim

const followers = 300
const everyMs = 1500

/** What *Follow* asks for, by so many readers, while the paste is changed. */
const following: Attack = {
  name: `follow/${followers}`,
  what: 'readers follow a paste that is changed four times a second',
  senders: followers,
  limits: usualLimits(followers),
  prepare: onePaste({ text: 'const a = 1\n'.repeat(100), language: 'typescript' }),
  send: async (stage) => {
    const { url, stock, notes } = stage
    const path = `/p/${stock.id}`
    const change = async (isOver: () => boolean) => {
      for (let at = 0; !isOver(); at++) {
        const body = JSON.stringify({ text: `const a = ${at}\n`.repeat(100) })
        notes.expect(
          await ask(url, { method: 'PATCH', path: `/pastes/${stock.id}`, headers: jsonHeaders, body }),
          200,
        )
        await Bun.sleep(250)
      }
    }
    const follow = async (isOver: () => boolean, at: number) => {
      let tag = ''
      await Bun.sleep((at * everyMs) / followers)
      const wire = await openWire(url)
      while (!isOver() && wire.isOpen()) {
        const answer = await wire.ask({
          path,
          headers: [browser, 'Purpose: follow', ...(tag && [`If-None-Match: ${tag}`])],
        })
        notes.expect(answer, 200, 304)
        tag = /^etag: (.+)$/im.exec(answer.head)?.[1] ?? ''
        await Bun.sleep(everyMs)
      }
      wire.close()
    }
    await untilHeld(stage, followers + 1, (isOver, at) =>
      at === followers ? change(isOver) : follow(isOver, at),
    )
  },
}

const fromHolder = (one: Flood): Attack => ({ ...flood(one, 8), isInShortRun: true })

/** Changes, and what is left of them. */
export const changeAttacks: readonly Attack[] = [
  ...fromHolders.map(fromHolder),
  ...fromStrangers.map((one) => flood(one, 100)),
  following,
]
