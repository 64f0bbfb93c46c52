import { languages } from '../../../src/highlight/languages/languages.ts'
import { createClient } from '../../../test/support/client.ts'
import { pathOf } from '../../../test/support/counts.ts'
import { childMilliseconds } from '../../../test/support/memory.ts'
import { typescript } from '../../measure/sample-code.ts'
import { type Attack, askAgain, type Notes, usualLimits } from '../attack.ts'
import { type Answer, ask, atOnce, openWire } from '../wire.ts'

const headers = ['Accept: text/html']
const isHighlighted = ({ text }: Answer) => text.includes('<span class=t')
const ownIds = languages.map(({ id }) => id).filter((id) => id !== 'text' && id !== 'ansi')

/** A child that works less than a tenth of so long has nothing to do. */
const idleMs = 300

/** The path of a new paste of this many bytes; no two are equal. */
const createFresh = async (url: string, bytes: number) => {
  const text = `// ${crypto.randomUUID()}\n${typescript(bytes)}`
  return pathOf((await createClient(url).paste({ text })).pasteUrl)
}

const readFresh = async (url: string, path: string, notes: Notes) => {
  const began = performance.now()
  const answer = await ask(url, { path, headers })
  notes.expect(answer, 200)
  notes.most('slowest page ms', performance.now() - began)
  return Number(!isHighlighted(answer))
}

/** @returns the processor time of the children once it stops growing: a reader who got a plain page may have left work behind */
const whenIdle = async (pid: number) => {
  for (let before = -1; ; await Bun.sleep(idleMs)) {
    const now = childMilliseconds(pid)
    if (now - before < idleMs / 10) return now
    before = now
  }
}

const sharedRendering: Attack = {
  name: 'one-fresh-paste/8',
  what: 'readers of one new TypeScript paste of 30 KB at once',
  senders: 8,
  limits: { ...usualLimits(8), 'plain pages': 0, renderings: 1.5 },
  send: async ({ url, pid, notes }) => {
    /** Processor time of the highlighting child for so many readers of a new paste. */
    const costOf = async (readers: number, isJudged: boolean) => {
      const path = await createFresh(url, 30_000)
      const before = childMilliseconds(pid)
      const plain = await atOnce(readers, async () => readFresh(url, path, notes))
      if (isJudged)
        notes.most(
          'plain pages',
          plain.reduce((sum, one) => sum + one, 0),
        )
      return (await whenIdle(pid)) - before
    }
    // The first one loads the grammar, and the runtime compiles what it calls often.
    for (let at = 0; at < 2; at++) await costOf(1, false)
    const one = await costOf(1, false)
    notes.most('renderings', (await costOf(8, true)) / one)
  },
}

const starving: Attack = {
  name: 'other-languages/4',
  what: 'strangers go through ?lang= on a paste of 300 KB, while new pastes of 1.5 KB are created and read',
  senders: 4,
  limits: { ...usualLimits(4), 'plain pages': 0, 'slowest page ms': 300 },
  prepare: async ({ url }) => ({ path: await createFresh(url, 300_000) }),
  send: (stage) => {
    const languageAt = (at: number) => ownIds[at % ownIds.length]
    return askAgain(
      stage,
      4,
      (sender, at) => ({ path: `${stage.stock.path}?lang=${languageAt(sender * 80 + at)}`, headers }),
      200,
    )
  },
  meanwhile: async ({ url, seconds, notes }) => {
    let plain = 0
    for (let at = 0; at < seconds * 3; at++)
      plain += await readFresh(url, await createFresh(url, 1500), notes)
    notes.most('plain pages', plain)
  },
}

const everyLanguage: Attack = {
  name: 'every-language/1',
  what: 'one stranger goes through all languages with ?lang= on a paste of 2 KB',
  senders: 1,
  // The child's own limit is not from the issue: a child at work has some 130 MB, and all grammars together 650.
  limits: { ...usualLimits(1), 'child MB': 300 },
  prepare: async ({ url }) => ({ path: await createFresh(url, 2000) }),
  send: async ({ url, stock: { path = '' }, notes }) => {
    const wire = await openWire(url)
    for (const id of ownIds) notes.expect(await wire.ask({ path: `${path}?lang=${id}`, headers }), 200)
    wire.close()
  },
}

/** What makes the highlighter busy. */
export const highlightingAttacks: readonly Attack[] = [sharedRendering, starving, everyLanguage]
