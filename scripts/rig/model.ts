import type { Kind } from '../measure/lists.ts'
import { createRandom } from '../measure/random.ts'

/** A moment that has not come; a number that JSON can hold. */
export const never = Number.MAX_SAFE_INTEGER

/** One text or target that an item had or may have. Every number is used once, so what a reader gets says which state it is. */
export type State = { number: number; sent: number; answered: number; version?: number }

/**
 * What the clients know of one item. Times are those of the model's own clock, which ticks with each request and each answer,
 * except `expires`: milliseconds since the epoch. Before `from` it must be there, from `to` on it must be gone.
 */
export type Item = {
  kind: Kind
  owner: string
  alias?: string
  /** Uses, for one that burns. */
  limit?: number
  /** `undefined` until its creation was answered, or a list showed it. */
  id?: string
  deletionPath?: string
  /** The first is its creation. */
  states: State[]
  expires: { from: number; to: number }
  /** When a longer life was answered that had been asked for before it expired, and began after that. */
  lapsedAt: number
  /** Deletions that were sent and not refused. */
  deletions: number
  isDeleted: boolean
  /** When a client knew that it is gone. */
  goneAt: number
  /** Uses that were answered, and such that may have been counted or not. */
  used: number
  unknownUses: number
  visits: number
  /** When its creation was sent, in milliseconds since the epoch. */
  sentMs: number
  /** The last erasure of earlier versions: those below `below` are gone, those above may be. */
  erased?: { sent: number; answered: number; below: number }
  /** It was sent with `replace`, so it may be a change of the item that its name leads to. */
  isReplacing: boolean
  /** A change of its expiry is running. */
  isBusy: boolean
  history: string[]
}

/** When a request was sent, on both clocks. */
export type Moment = { tick: number; ms: number }

/** An answer that no order of the requests allows. */
export class Wrong extends Error {}
export const wrong: (message: string) => never = (message) => {
  throw new Wrong(message)
}

const padded = (number: number) => String(number).padStart(6, '0')
/** The word that only this state has: in the text or the target. */
export const wordOf = (number: number) => `t${padded(number)}`
export const titleOf = (number: number) => `n${padded(number)}`

const pieces = ['a', 'é', '€', '😀', '\r\n', '\n', '\t', '\0', '"', '\\', '<b>', 'lorem ipsum ']

/** The text or target of a state: mostly a small one, now and then one of some hundred kilobytes. */
export const sentValue = (kind: Kind, number: number) => {
  if (kind === 'link') return `http://example.org/${wordOf(number)}`
  const random = createRandom(number)
  const length = random.next() < 0.02 ? 20_000 : 1 + random.below(200)
  return `${wordOf(number)} ${Array.from({ length }, () => random.pick(pieces)).join('')}`
}

/** The number of a text or target. @throws {Wrong} when a byte of it is not what was sent */
export const numberOf = (kind: Kind, value: string) => {
  const number = Number(
    /t(\d{6})/.exec(value)?.[1] ?? wrong(`a ${kind} that nobody sent: ${value.slice(0, 80)}`),
  )
  if (value !== sentValue(kind, number)) wrong(`the ${kind} of ${wordOf(number)} is not what was sent`)
  return number
}

/** What lists and records show of an item. */
export type Row = {
  id: string
  createdAt: string
  alias?: string
  title?: string
  text?: string
  url?: string
  version: number
  expiresAt?: string
  readsLeft?: number
  visitsLeft?: number
  rawUrl?: string
  shortendUrl?: string
}
export const leftOf = ({ readsLeft, visitsLeft }: Row) => readsLeft ?? visitsLeft

/** An item and the last requests about it, for a report. */
export const lastOf = ({ kind, id = 'not answered', alias = '', history }: Item) =>
  [`${kind} ${id} ${alias}`, ...history.slice(-12)].join('\n  ')

/**
 * What is certain of every item, and so which answers are right; kept outside the server.
 * @param now milliseconds since the epoch; of a recording, those of its requests
 */
export const createModel = (now: () => number = Date.now) => {
  let clock = 0
  let last = 0
  const items = new Set<Item>()
  const byId = new Map<string, Item>()
  const byNumber = new Map<number, Item>()
  const byName = new Map<string, Set<Item>>()
  const touched = new Set<Item>()
  /** Keys whose creation under a name was cut off: the name may be theirs, without an item. */
  const claims = new Map<string, string[]>()

  const tick = () => ++clock
  const moment = (): Moment => ({ tick: tick(), ms: now() })
  const keyOf = (kind: Kind, alias: string) => `${kind} ${alias}`
  const holders = (kind: Kind, alias: string): Set<Item> => byName.get(keyOf(kind, alias)) ?? new Set()

  const drop = (item: Item) => {
    items.delete(item)
    touched.delete(item)
    if (item.alias) holders(item.kind, item.alias).delete(item)
    if (item.id && byId.get(item.id) === item) byId.delete(item.id)
    for (const { number } of item.states) if (byNumber.get(number) === item) byNumber.delete(number)
  }

  /** What was sent as a creation was a state of this item. */
  const join = (item: Item, other: Item) => {
    drop(other)
    item.states.push(...other.states)
    for (const { number } of other.states) byNumber.set(number, item)
    item.history.push(...other.history)
    touched.add(item)
  }

  const isSurelyGone = (item: Item, at: Moment) => item.goneAt < at.tick || item.expires.to <= at.ms
  const isSpent = ({ limit = never, used, unknownUses }: Item) => used + unknownUses >= limit
  const mayBeGone = (item: Item) =>
    item.deletions > 0 ||
    item.goneAt < never ||
    item.expires.from <= now() ||
    item.states[0]?.answered === never ||
    isSpent(item)

  const learnGone = (item: Item, at: Moment = moment()) => {
    if (at.tick < item.lapsedAt) return
    if (!mayBeGone(item)) wrong('it is gone, but nobody deleted it and it has not expired')
    // While a deletion, a use or a change of the expiry is running, a reader may get 410 for what stays after all.
    const isOver = item.isDeleted || item.expires.to <= now()
    const isUnderWay = item.deletions > 0 || item.unknownUses > 0 || item.expires.from < item.expires.to
    if (isOver || !isUnderWay) item.goneAt = Math.min(item.goneAt, tick())
  }

  const stateOf = (item: Item, number: number) => {
    const other = byNumber.get(number)
    if (
      other &&
      other !== item &&
      other.isReplacing &&
      other.alias === item.alias &&
      other.kind === item.kind
    )
      join(item, other)
    return item.states.find((state) => state.number === number)
  }

  const setVersion = (item: Item, state: State, version: number) => {
    const twin = item.states.find((other) => other.version === version)
    if (twin && twin !== state)
      wrong(`${wordOf(twin.number)} and ${wordOf(state.number)} both are version ${version}`)
    if (state.version !== undefined && state.version !== version)
      wrong(`${wordOf(state.number)} was version ${state.version} and is version ${version}`)
    state.version = version
  }

  /** A request sent at that moment found the item in this state. */
  const learn = (item: Item, number: number, at: Moment, version?: number) => {
    if (isSurelyGone(item, at)) wrong('it is there, but was deleted or has expired')
    const state = stateOf(item, number) ?? wrong(`${wordOf(number)} was never sent to this item`)
    if (version !== undefined) setVersion(item, state, version)
    const isLater = (other: State) =>
      other.sent > state.answered || (other.version ?? 0) > (state.version ?? never)
    const later = item.states.find((other) => other !== state && isLater(other) && other.answered < at.tick)
    if (later) wrong(`${wordOf(number)} is shown, but ${wordOf(later.number)} came after it`)
    state.answered = Math.min(state.answered, tick())
    return state
  }

  const create = (
    fields: Pick<Item, 'kind' | 'owner' | 'alias' | 'limit'>,
    ttlMs = never,
    isReplacing = false,
  ) => {
    const number = ++last
    const item: Item = {
      ...fields,
      states: [{ number, sent: tick(), answered: never }],
      expires: ttlMs === never ? { from: never, to: never } : { from: now() + ttlMs, to: never },
      deletions: 0,
      isDeleted: false,
      goneAt: never,
      lapsedAt: 0,
      used: 0,
      unknownUses: 0,
      visits: 0,
      sentMs: now(),
      isReplacing,
      isBusy: false,
      history: [],
    }
    items.add(item)
    byNumber.set(number, item)
    touched.add(item)
    if (!item.alias) return item
    const name = keyOf(item.kind, item.alias)
    byName.set(name, holders(item.kind, item.alias).add(item))
    return item
  }

  const numberFrom = (item: Item) => item.states[0]?.number ?? 0
  const expireAt = (item: Item, text: string | undefined) => {
    const at = text === undefined ? never : Date.parse(text)
    if (item.expires.from <= now()) item.lapsedAt = tick()
    item.expires = { from: at, to: at }
  }

  /** Its creation was answered with 201. */
  const born = (item: Item, deletionPath: string, expiresAt: string | undefined) => {
    // A deletion key begins with the id.
    const id = deletionPath.split('key=')[1]?.slice(0, item.kind === 'link' ? 7 : 10) ?? ''
    if (byNumber.get(numberFrom(item)) !== item) wrong('it changed an item, but 201 says that it was created')
    const twin = byId.get(id)
    if (twin && twin !== item) join(item, twin)
    byId.set(id, item)
    Object.assign(item, { id, deletionPath, isReplacing: false })
    setVersion(item, item.states[0] as State, 1)
    ;(item.states[0] as State).answered = tick()
    expireAt(item, expiresAt)
    if (!item.alias || mayBeGone(item)) return
    for (const other of holders(item.kind, item.alias)) {
      if (other === item || other.id === undefined) continue
      if (other.owner !== item.owner) wrong(`the name of another key was given away`)
      if (!mayBeGone(other)) wrong(`its name was given away, but ${other.id} still has it`)
      other.goneAt = Math.min(other.goneAt, tick())
    }
  }

  /** A creation with `replace` was answered with 200. */
  const changed = (item: Item, at: Moment, expiresAt: string | undefined) => {
    const [state] = item.states as [State]
    state.answered = Math.min(state.answered, tick())
    const isCandidate = (other: Item) =>
      other !== item && other.owner === item.owner && !isSurelyGone(other, at)
    const bound = byNumber.get(state.number)
    const candidates =
      bound !== item ? [bound] : [...holders(item.kind, item.alias ?? '')].filter(isCandidate)
    const [only, ...others] = candidates as Item[]
    if (!only) return wrong('a change of what the name leads to, but it leads nowhere')
    // Of several, a later answer says which it was.
    if (others.length) return
    if (bound === item) join(only, item)
    if (expiresAt !== undefined) expireAt(only, expiresAt)
  }

  /** A creation was refused because its name is taken. */
  const taken = (item: Item, at: Moment) => {
    drop(item)
    const { kind, alias = '', owner } = item
    const isReason = (other: Item) => other.owner !== owner || (!item.isReplacing && !isSurelyGone(other, at))
    const isClaimed = claims.get(keyOf(kind, alias))?.some((claimant) => claimant !== owner)
    if (!isClaimed && ![...holders(kind, alias)].some(isReason)) wrong('its name is taken by nobody')
  }

  /** It was never answered, and is not there. */
  const forget = (item: Item) => {
    drop(item)
    if (item.alias === undefined) return
    const name = keyOf(item.kind, item.alias)
    claims.set(name, [...(claims.get(name) ?? []), item.owner])
  }

  /** The item of a row; `undefined` for one whose creation somebody is just waiting for. */
  const find = (kind: Kind, row: Row) => {
    const known = byId.get(row.id)
    const number =
      kind === 'link' ? numberOf(kind, row.url ?? '') : Number(/^n(\d{6})$/.exec(row.title ?? '')?.[1])
    if (row.text !== undefined && numberOf(kind, row.text) !== number) wrong('its title is of another text')
    if (known) return { item: known, number }
    const item = byNumber.get(number)
    if (!item || item.id !== undefined || item.alias !== row.alias || item.kind !== kind)
      return wrong(`${row.id} is listed, but nobody created it`)
    Object.assign(item, { id: row.id, isReplacing: false })
    byId.set(row.id, item)
    return { item, number }
  }

  return {
    items,
    touched,
    byId,
    byNumber,
    holders,
    tick,
    moment,
    now,
    drop,
    forget,
    create,
    born,
    changed,
    taken,
    learn,
    learnGone,
    expireAt,
    isSurelyGone,
    mayBeGone,
    find,
    setVersion,

    /** A new state, sent now. */
    change: (item: Item): State => {
      const state = { number: ++last, sent: tick(), answered: never }
      item.states.push(state)
      byNumber.set(state.number, item)
      return state
    },
    refuse: (item: Item, state: State) => {
      item.states.splice(item.states.indexOf(state), 1)
      byNumber.delete(state.number)
    },

    /** The highest version that some client knows of. */
    newest: ({ states }: Item) => Math.max(1, ...states.map(({ version = 1 }) => version)),

    /** What a reader got under a name: a state of an item that may have it. */
    learnNamed: (kind: Kind, alias: string, number: number, at: Moment) => {
      const item = byNumber.get(number)
      if (!item || item.kind !== kind || item.alias !== alias)
        return wrong(`the name shows ${wordOf(number)}, which was never sent there`)
      learn(item, number, at)
    },

    /** @param item found in a list after a restart: what nobody answered before it is settled by what is there */
    settle: (item: Item, number: number, row: Row, at: Moment) => {
      const left = leftOf(row)
      const { limit, used, unknownUses } = item
      if (limit !== undefined && left !== undefined) {
        if (left > limit - used || left < limit - used - unknownUses)
          wrong(`${left} uses are left of ${limit}, after ${used} and perhaps ${unknownUses} more`)
        Object.assign(item, { used: limit - left, unknownUses: 0 })
      }
      const expiry = row.expiresAt === undefined ? never : Date.parse(row.expiresAt)
      if (expiry < item.expires.from || expiry > item.expires.to) wrong(`it expires at ${row.expiresAt}`)
      item.expires = { from: expiry, to: expiry }
      learn(item, number, at, row.version)
      for (const { number, answered } of item.states) if (answered === never) byNumber.delete(number)
      item.states = item.states.filter(({ answered }) => answered < never)
      if (!item.isDeleted) item.deletions = 0
      item.isBusy = false
      if (item.erased?.answered === never) item.erased = { ...item.erased, answered: tick(), below: 0 }
    },
  }
}
export type Model = ReturnType<typeof createModel>
