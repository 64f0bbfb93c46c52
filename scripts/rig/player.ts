import { createRandom, type Random } from '../measure/random.ts'
import { lastOf, type Model, type Moment, Wrong } from './model.ts'
import { type Answer, type Mood, makeStep, type Step } from './operations.ts'

/** A step that was sent, when, and as a report shows it. */
export type Sent = { name: string; step: Step; at: Moment; line: string }

/** Called right before a step is sent. */
export const begin = (model: Model, name: string, step: Step): Sent => {
  const at = model.moment()
  const { path, method = 'GET', owner, body } = step
  for (const item of step.about) if (model.items.has(item)) model.touched.add(item)
  const line = `${at.tick} ${method} ${path} ${owner ?? ''} ${JSON.stringify(body ?? '').slice(0, 80)}`
  return { name, step, at, line }
}

export const noteUnanswered = ({ step, line }: Sent) => {
  for (const { history } of step.about) history.push(`${line} → nothing`)
}

/** @throws {Wrong} with the last requests about its items, for an answer that no order of the requests allows */
export const judge = ({ name, step, line, at }: Sent, answer: Answer) => {
  for (const { history } of step.about) history.push(`${line} → ${answer.status}`)
  try {
    step.judge(answer, at)
  } catch (error) {
    if (!(error instanceof Wrong)) throw error
    throw new Wrong(`${name}: ${line}\n${error.message}\n${step.about.map(lastOf).join('\n')}`)
  }
}

/** Sends one request of the model. @param keys of its owners */
export const exchange = async (
  url: string,
  keys: ReadonlyMap<string, string>,
  { path, method = 'GET', owner, headers = {}, body }: Omit<Step, 'about' | 'judge'>,
): Promise<Answer> => {
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(owner !== undefined && { key: keys.get(owner) ?? '' }),
      ...(body && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Whether the server went away in the middle of a request. */
export const isCutOff = (error: unknown) =>
  ['ConnectionRefused', 'ECONNRESET', 'ConnectionClosed', 'ECONNREFUSED'].includes(
    (error as { code?: string }).code ?? '',
  )

/** A step of a recording: what made it, or its answer. Times are milliseconds since the epoch. */
export type Recorded =
  | { step: number; at: number; mood: Mood; luck?: number }
  | { answered: number; at: number; status: number; location: string | null; text: string }

/** No chance: the same number each time, and the last of what there is. */
const fixed = (luck: number): Random => ({
  next: () => luck,
  below: (end) => end - 1,
  pick: <T>(values: readonly T[]) => values.at(-1) as T,
})

const soleOwner = ['environment'] as const

/** Steps that their numbers alone repeat, so what the clients knew at any moment can be computed again. */
const stepAt = (model: Model, seed: number, number: number, mood: Mood, luck?: number) => {
  const random = luck === undefined ? createRandom(seed * 1_000_003 + number) : fixed(luck)
  return begin(model, ...makeStep({ model, random, owners: soleOwner }, mood))
}

/** What of a page its step judges. */
const titleIn = (text: string) => /n\d{6}/.exec(text)?.[0] ?? ''

/** Plays steps against a server and writes each down. @param record called before a step is sent and before its answer counts */
export const createRecorder = (model: Model, seed: number, record: (event: Recorded) => void) => {
  let last = 0
  return async (url: string, keys: ReadonlyMap<string, string>, mood: Mood, luck?: number) => {
    const number = ++last
    const sent = stepAt(model, seed, number, mood, luck)
    record({ step: number, at: sent.at.ms, mood, ...(luck !== undefined && { luck }) })
    const { status, headers, text } = await exchange(url, keys, sent.step)
    // Nobody knows what became of it.
    if (status >= 500) throw new Error(`${sent.name} answered ${status}`)
    const isPage = sent.step.headers?.Accept === 'text/html'
    const answer = { status, headers, text: isPage ? titleIn(text) : text }
    record({ answered: number, at: Date.now(), status, location: headers.get('location'), text: answer.text })
    judge(sent, answer)
  }
}

/** What the clients knew after some events of a recording. @param now the time of each event while it is played again */
export const replay = (
  model: Model,
  seed: number,
  events: readonly Recorded[],
  now: (milliseconds: number) => void,
) => {
  const waiting = new Map<number, Sent>()
  for (const event of events) {
    now(event.at)
    if ('step' in event) waiting.set(event.step, stepAt(model, seed, event.step, event.mood, event.luck))
    else {
      const { answered, status, location, text } = event
      const headers = new Headers(location === null ? {} : { location })
      judge(waiting.get(answered) as Sent, { status, headers, text })
    }
  }
  return waiting
}
