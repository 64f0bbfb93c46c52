import { testKey } from '../../test/support/process.ts'
import type { Random } from '../crash/random.ts'
import { listAll } from '../measure/lists.ts'

/** `dying`: a deletion was sent and not answered, so both outcomes are right. */
type State = 'alive' | 'dying' | 'deleted'

export type Entry = {
  /** Path below the server's address: `/p/raw/<id>` or `/s/<id>`. */
  path: string
  /** The text, or the address a link leads to. */
  expected: string
  /** What a change would make of it that was sent and not answered: both are right. */
  pending?: string | undefined
  /** What it was before its last change. */
  former?: string
  deletionPath: string
  /** Path by alias, where the item was given one. */
  named?: string
  state: State
  /** Times a link was asked for, answered or not: what its count may never exceed. */
  visits: number
  /** When it must be gone, as the server said, in milliseconds since the epoch. */
  expiresAt?: number
}

/** What was found settles a change that nobody answered: it must not change again. */
const settle = (entry: Entry, found: string | null) => {
  if (entry.pending === undefined) return
  if (found === entry.pending) {
    entry.former = entry.expected
    entry.expected = entry.pending
  }
  entry.pending = undefined
}

/** Called with what the clients know of an item, each time it changes. */
export type Note = (kind: 'item' | 'limited' | 'key', known: Readonly<{ path: string }>) => void

/** What the server answered, kept outside the server. */
export const createLedger = (note: Note = () => {}) => {
  const entries: Entry[] = []
  const recent = new Set<Entry>()
  /** The last acknowledged item of each name. */
  const owners = new Map<string, Entry>()
  return {
    entries,
    /** @throws when another living item has the same name */
    add: (entry: Entry) => {
      const rival = entry.named && owners.get(entry.named)
      if (rival && rival.state === 'alive') throw new Error(`two items were given ${entry.named}`)
      if (entry.named) owners.set(entry.named, entry)
      entries.push(entry)
      recent.add(entry)
      note('item', entry)
    },
    /** Before it is sent. */
    noteVisit: (entry: Entry) => {
      entry.visits++
      note('item', entry)
    },
    /** The deletion of a victim was answered. */
    noteDeleted: (victim: Entry) => {
      victim.state = 'deleted'
      note('item', victim)
    },
    /** A living item that nobody else is changing, and what it shall be: before that is sent. */
    takeChange: (random: Random, expectedOf: (entry: Entry) => string) => {
      const entry = entries.length ? random.pick(entries) : undefined
      if (entry?.state !== 'alive' || entry.pending !== undefined || entry.expiresAt !== undefined)
        return undefined
      entry.pending = expectedOf(entry)
      recent.add(entry)
      note('item', entry)
      return entry
    },
    /** The change was answered. */
    noteChanged: (entry: Entry) => {
      settle(entry, entry.pending ?? entry.expected)
      note('item', entry)
    },
    touch: (entry: Entry) => recent.add(entry),
    /** A living item that no other worker is deleting, marked as dying. */
    takeVictim: (random: Random) => {
      const victim = entries.length ? random.pick(entries) : undefined
      // What is about to expire could be gone before its deletion arrives.
      if (victim?.state !== 'alive' || victim.pending !== undefined || victim.expiresAt !== undefined)
        return undefined
      victim.state = 'dying'
      recent.add(victim)
      note('item', victim)
      return victim
    },
    /** What the last round touched, and some of the older ones. */
    sample: (random: Random, older: number) => {
      const chosen = new Set(recent)
      for (let at = 0; at < older && entries.length; at++) chosen.add(random.pick(entries))
      recent.clear()
      return [...chosen]
    },
  }
}
export type Ledger = ReturnType<typeof createLedger>

const countProblem = async (url: string, { path, visits }: Entry) => {
  const html = await (await fetch(`${url}${path}+`)).text()
  const [, times] = />([\d,]+) visits?</.exec(html) ?? []
  const shown = times === undefined ? 0 : Number(times.replaceAll(',', ''))
  // The page already counts this visit.
  const isPossible = shown >= 1 && shown <= visits
  return isPossible ? undefined : `${path} was followed ${visits} times, but shows ${shown}`
}

/** So many of the newest names are asked for: those that a kill may have cut off. */
const newestNames = 100

/** What is listed under a name is there, and nothing else has that name; also what nobody acknowledged. */
const problemsOfNames = async (folder: string, items: readonly { alias?: string }[]) => {
  const names = items.flatMap(({ alias }) => alias ?? [])
  const problems =
    new Set(names).size === names.length ? [] : [`two items are listed under one name: ${names.toSorted()}`]
  for (const name of names.slice(0, newestNames)) {
    // Counts no visit.
    const { status } = await fetch(`${folder}/${name}`, { method: 'HEAD', redirect: 'manual' })
    if (status !== 200 && status !== 302) problems.push(`${folder}/${name} is listed, but answered ${status}`)
  }
  return problems
}

/** Holds the lists against what was acknowledged. What was created and not acknowledged may be listed too. */
export const problemsOfLists = async (url: string, key: string, entries: readonly Entry[]) => {
  const askedAt = Date.now()
  const lists = [await listAll(url, 'paste', key), await listAll(url, 'link', key)] as const
  const ids = lists.flatMap((list) => list.ids)
  const listed = new Set(ids)
  const isRight = ({ path, state, expiresAt }: Entry) => {
    const isListed = listed.has(path.split('/').at(-1) ?? '')
    if (expiresAt !== undefined) return !isListed || askedAt < expiresAt
    return state === 'dying' || isListed === (state === 'alive')
  }
  const wrong = entries.filter((entry) => !isRight(entry))
  return [
    ...wrong.map(({ path, state }) => `${path} is ${state}, but the list says otherwise`),
    ...(await problemsOfNames(`${url}/p/raw`, lists[0].items)),
    ...(await problemsOfNames(`${url}/s`, lists[1].items)),
    ...(listed.size === ids.length ? [] : [`${ids.length - listed.size} items are listed twice`]),
  ]
}

const read = async (address: string, isLink: boolean, method = 'GET') => {
  const response = await fetch(address, { method, redirect: 'manual' })
  return { response, found: isLink ? response.headers.get('location') : await response.text() }
}

const isExpected = ({ expected, pending }: Entry, found: string | null) =>
  found === expected || found === pending

/** Where the key that made an item finds it. */
export const ownPathOf = ({ path }: Entry) => {
  const id = path.split('/').at(-1)
  return path.startsWith('/s/') ? `/links/${id}` : `/pastes/${id}`
}

type Version = { text?: string; url?: string; version: number }
type Answer = { paste?: Version; link?: Version }

/** What a changed item was before is there for its key. */
const problemOfFormer = async (url: string, entry: Entry) => {
  if (entry.former === undefined || entry.state !== 'alive') return undefined
  const ask = async (path: string) => {
    const { paste, link } = (await (await fetch(url + path, { headers: { key: testKey } })).json()) as Answer
    return paste ?? link
  }
  const newest = await ask(ownPathOf(entry))
  const former = newest && (await ask(`${ownPathOf(entry)}/versions/${newest.version - 1}`))
  if ((former?.text ?? former?.url) === entry.former) return undefined
  return `${entry.path}, version ${newest?.version}: the one before is not what it was`
}

/** While its item lives, a name leads to it; afterwards to another or to none, but never back. */
const problemOfName = async (url: string, entry: Entry) => {
  const { named, path, state } = entry
  if (named === undefined) return undefined
  const isLink = path.startsWith('/s/')
  // A name may lead to another link by now, so that no visit may be counted.
  const { response, found } = await read(url + named, isLink, isLink ? 'HEAD' : 'GET')
  if (isExpected(entry, found) === (state === 'alive')) return undefined
  return `${named}, the name of ${path} (${state}), answered ${response.status}`
}

const problemOfItem = async (url: string, entry: Entry): Promise<string | undefined> => {
  entry.visits++
  const askedAt = Date.now()
  const { response, found } = await read(url + entry.path, entry.path.startsWith('/s/'))
  const isGone = response.status === 410
  const isWhole = (response.status === 200 || response.status === 302) && isExpected(entry, found)
  if (isWhole) settle(entry, found)
  if (entry.state === 'dying' && (isGone || isWhole)) {
    entry.state = isGone ? 'deleted' : 'alive'
    // A deletion begins with earlier versions.
    delete entry.former
    return undefined
  }
  // Asked before the instant, it may be answered after it.
  if (entry.expiresAt !== undefined && entry.state === 'alive' && Date.now() >= entry.expiresAt) {
    const isRight = isGone || (isWhole && askedAt < entry.expiresAt)
    return isRight ? undefined : `${entry.path} has expired, but answered ${response.status}`
  }
  const isRight = entry.state === 'deleted' ? isGone : isWhole
  // One that expires may be gone by the time its count is asked for.
  const isCounted = isWhole && entry.path.startsWith('/s/') && entry.expiresAt === undefined
  if (isRight) return isCounted ? countProblem(url, entry) : undefined
  return `${entry.path} should be ${entry.state}, but answered ${response.status}`
}

/** Asks the server about one entry. @returns what is wrong, if anything; settles an entry that was dying */
export const problemOf = async (url: string, entry: Entry): Promise<string | undefined> =>
  (await problemOfItem(url, entry)) ?? (await problemOfFormer(url, entry)) ?? problemOfName(url, entry)
