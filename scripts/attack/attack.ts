import { createClient, type PasteBody } from '../../test/support/client.ts'
import { type Answer, type Ask, ask, atOnce, openWire, type Wire } from './wire.ts'

/** Figure → the most it may be. The name ends with the unit: `stall ms`, `growth MB`. */
export type Limits = Readonly<Record<string, number>>

/** What one round showed beside stall and memory. */
export type Seen = {
  /** Status → how often it was answered. */
  answers: Record<string, number>
  figures: Record<string, number>
  /** What must not be, in words. */
  wrong: string[]
}

/** What an attack needs from a first server: ids, keys. It goes from process to process, so it is plain JSON. */
export type Stock = Readonly<Record<string, string>>

export type Target = {
  url: string
  /** Of the server. */
  pid: number
  stock: Stock
  /** Length of an attack that runs until it must stop. */
  seconds: number
  /** How often a sender repeats what it sends once. */
  times: number
}

export type Stage = Target & {
  notes: Notes
  /** Says that the attack is at its height; resolves when it may stop. */
  hold: () => Promise<void>
}

export type Attack = {
  /** In plain words, variants after a slash: `empty-fields/100`. */
  name: string
  what: string
  senders: number
  /** Further flags of the server. */
  args?: readonly string[]
  limits: Limits
  /** False where the short run can do without: it differs from another one in a number alone. */
  isInShortRun?: boolean
  /** Fills the data folder by a first server; the attack gets another one, which has rested. */
  prepare?: (server: { url: string; data: string }) => Promise<Stock>
  /** Runs in a process of its own. */
  send: (stage: Stage) => Promise<void>
  /** Runs while the attack holds, in a process that sends nothing else. */
  meanwhile?: (stage: Omit<Stage, 'hold'>) => Promise<void>
}

/** What strangers together may take of the memory of a server. */
export const mostGrowthMb = 160

/** The limits for senders without a key, and for most with one. */
export const usualLimits = (senders: number): Limits => ({
  'stall ms': senders === 1 ? 50 : 250,
  'growth MB': mostGrowthMb,
})

/** Works again and again, on so many connections, until the attack may stop. */
export const untilHeld = async (
  { hold }: Stage,
  senders: number,
  work: (isOver: () => boolean, at: number) => Promise<void>,
) => {
  let isOver = false
  const over = hold().then(() => {
    isOver = true
  })
  await atOnce(senders, (at) => work(() => isOver, at))
  await over
}

/** Asks one thing after the other, from so many senders, until the attack may stop. One that is refused comes back on another connection. */
export const askAgain = (
  stage: Stage,
  senders: number,
  askOf: (sender: number, at: number) => Ask,
  ...statuses: readonly Answer['status'][]
) =>
  untilHeld(stage, senders, async (isOver, sender) => {
    for (let at = 0; !isOver(); ) {
      const wire = await openWire(stage.url)
      for (let isKept = true; isKept && !isOver(); at++) {
        const answer = await wire.ask(askOf(sender, at))
        stage.notes.expect(answer, ...statuses)
        const isRefused = typeof answer.status !== 'number' || answer.status === 100
        isKept = !isRefused && !/^connection: close/im.test(answer.head)
      }
      wire.close()
    }
  })

const dribbleMs = 100

/** Holds connections open. @param begin what each does first @param next what it writes again and again */
export const holdOpen = async (
  { hold }: Pick<Stage, 'hold'>,
  wires: readonly Wire[],
  begin: (wire: Wire) => Promise<void>,
  next = '',
) => {
  await Promise.all(wires.map(begin))
  const timer = setInterval(() => {
    for (const wire of wires) if (next && wire.isOpen()) void wire.write(next)
  }, dribbleMs)
  await hold()
  clearInterval(timer)
  for (const wire of wires) wire.close()
}

/** Sends one request from all senders at once, as often as the run repeats it. */
export const repeat = async (
  { url, times }: Stage,
  senders: number,
  request: Ask,
  judge: (answer: Answer) => void,
) => {
  for (let at = 0; at < times; at++) await atOnce(senders, async () => judge(await ask(url, request)))
}

/** Stores one paste for an attack to read. */
export const onePaste =
  (fields: PasteBody) =>
  async ({ url }: { url: string }): Promise<Stock> => {
    const { rawUrl = '' } = await createClient(url).paste(fields)
    return { id: rawUrl.split('/').at(-1) ?? '' }
  }

/** Collects what a round shows. */
export const createNotes = () => {
  const seen: Seen = { answers: {}, figures: {}, wrong: [] }
  const count = (status: Answer['status'] | string) => {
    seen.answers[status] = (seen.answers[status] ?? 0) + 1
  }
  const wrong = (what: string) => {
    // One is enough; a thousand equal ones would fill the page.
    if (!seen.wrong.includes(what) && seen.wrong.length < 5) seen.wrong.push(what)
  }
  return {
    seen,
    count,
    wrong,
    /** Keeps the largest value. */
    most: (figure: string, value: number) => {
      seen.figures[figure] = Math.max(seen.figures[figure] ?? 0, value)
    },
    expect: (answer: Answer, ...statuses: readonly Answer['status'][]) => {
      count(answer.status)
      if (!statuses.includes(answer.status)) wrong(`answered ${answer.status}, not ${statuses.join(' or ')}`)
    },
    /** A stranger is refused: 4xx, 503 that says when to come back, or a closed connection. */
    expectRefusal: (answer: Answer) => {
      count(answer.status)
      const { status, head } = answer
      const isBusy = status === 503 && /^retry-after: \d+$/im.test(head)
      const isRefused = typeof status === 'number' && status >= 400 && status < 500
      if (!isBusy && !isRefused && status !== 'cut off') wrong(`a stranger was answered ${status}`)
    },
  }
}
export type Notes = ReturnType<typeof createNotes>
