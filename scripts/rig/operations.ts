import type { Kind } from '../measure/lists.ts'
import type { Random } from '../measure/random.ts'
import {
  type Item,
  lastOf,
  leftOf,
  type Model,
  type Moment,
  never,
  numberOf,
  type Row,
  type State,
  sentValue,
  titleOf,
  wordOf,
  wrong,
} from './model.ts'

export type Answer = { status: number; headers: Headers; text: string }

/** One request, and what its answer may be. */
export type Step = {
  path: string
  method?: string
  owner?: string
  headers?: Record<string, string>
  body?: object
  /** The items whose last requests a report shows. */
  about: readonly Item[]
  /** @throws {Wrong} for an answer that no order of the requests allows */
  judge: (answer: Answer, at: Moment) => void
  /** It was refused before it was looked at. */
  refuse?: () => void
}

export type Parts = { model: Model; random: Random; owners: readonly string[] }
type Make = (parts: Parts) => Step | undefined

export const idPathOf = ({ kind, id }: Item) => `/${kind}s/${id}`
export const readPathOf = (kind: Kind, name: string) => (kind === 'link' ? `/s/${name}` : `/p/raw/${name}`)
export const jsonOf = ({ text }: Answer) => JSON.parse(text)
export const rowIn = (answer: Answer): Row => {
  const { paste, link } = jsonOf(answer)
  return paste ?? link
}
const unexpected = ({ status, text }: Answer) => wrong(`answered ${status}: ${text.slice(0, 200)}`)

const isRecent = 60
/** Mostly one of the last items, which other clients use at the same time. */
const pickItem = ({ model, random }: Parts, isWanted: (item: Item) => boolean = () => true) => {
  const all = [...model.items]
  const some = random.next() < 0.8 ? all.slice(-isRecent) : all
  const now = { tick: model.tick(), ms: model.now() }
  const wanted = some.filter((item) => item.id !== undefined && isWanted(item))
  const living = wanted.filter((item) => !model.isSurelyGone(item, now))
  const from = living.length && random.next() < 0.9 ? living : wanted
  return from.length ? random.pick(from) : undefined
}
const pickOwn = (parts: Parts, isWanted: (item: Item) => boolean = () => true) =>
  pickItem(parts, (item) => parts.owners.includes(item.owner) && isWanted(item))

const pathOf = (address: string) => {
  const { pathname, search } = new URL(address)
  return pathname + search
}

const bodyOf = (kind: Kind, number: number) =>
  kind === 'link'
    ? { url: sentValue(kind, number) }
    : { text: sentValue(kind, number), title: titleOf(number) }

type Creation = Pick<Item, 'kind' | 'owner' | 'alias' | 'limit'> & { expiresIn?: number; replace?: boolean }

const creation = ({ model }: Parts, { expiresIn, replace = false, ...fields }: Creation): Step => {
  const { kind, owner, alias, limit } = fields
  const item = model.create(fields, expiresIn === undefined ? never : expiresIn * 1000, replace)
  const number = item.states[0]?.number ?? 0
  const details = kind === 'paste' ? { description: '', language: 'text' } : {}
  const uses = limit === undefined ? {} : { [kind === 'paste' ? 'maxReads' : 'maxVisits']: limit }
  return {
    path: kind === 'paste' ? '/paste' : '/shortener',
    method: 'POST',
    owner,
    body: { ...bodyOf(kind, number), ...details, alias, expiresIn, ...uses, ...(replace && { replace }) },
    about: alias ? [...model.holders(kind, alias)].slice(-3) : [item],
    judge: (answer, at) => {
      const { deletionUrl, expiresAt } = jsonOf(answer)
      if (answer.status === 201) model.born(item, pathOf(deletionUrl), expiresAt)
      else if (answer.status === 200 && replace) model.changed(item, at, expiresAt)
      else if (answer.status === 409 && alias) model.taken(item, at)
      else unexpected(answer)
    },
    refuse: () => model.drop(item),
  }
}

const anyKind = (random: Random): Kind => (random.next() < 0.55 ? 'paste' : 'link')

/** A creation of any kind, by any owner. */
const creationOf =
  (fieldsOf: (parts: Parts) => Partial<Creation>): Make =>
  (parts) =>
    creation(parts, {
      kind: anyKind(parts.random),
      owner: parts.random.pick(parts.owners),
      ...fieldsOf(parts),
    })

const create = creationOf(() => ({}))
const createNamed: Make = (parts) => {
  const { model, random } = parts
  // New names after a while: one whose holder lives stays taken.
  const alias = `name-${model.items.size >> 7}-${random.below(16)}`
  const replace = random.next() < 0.4
  return creationOf(() => ({ alias, replace }))(parts)
}
const createExpiring = creationOf(({ random }) => ({ expiresIn: 1 + random.below(3) }))
const createBurning = creationOf(({ random }) => ({ limit: 1 + random.below(4) }))

/** A name whose items live for a second, replaced just after that. One request at a time for each, which knows their expiry. */
const replaceBrief: Make = (parts) => {
  const { model, random, owners } = parts
  const [kind, alias] = [anyKind(random), `brief-${random.below(8)}`]
  const holders = [...model.holders(kind, alias)]
  if (holders.some(({ isBusy, id }) => isBusy || id === undefined)) return undefined
  const first = holders[0]?.owner
  const owner = first && owners.includes(first) && random.next() < 0.9 ? first : random.pick(owners)
  const now = model.moment()
  const holder = holders.find((item) => item.owner === owner && !model.isSurelyGone(item, now))
  const former = holder?.expires
  if (holder && former) holder.expires = { from: Math.min(former.from, now.ms + 1000), to: never }
  const step = creation(parts, { kind, alias, owner, replace: true, expiresIn: 1 })
  const refuse = () => {
    step.refuse?.()
    if (holder && former) holder.expires = former
  }
  return { ...step, refuse }
}

/** A request about an item, whose answer is 410 when it is gone. */
const about = ({ model }: Parts, item: Item, step: Omit<Step, 'about'>): Step => ({
  about: [item],
  ...step,
  judge: (answer, at) => {
    if (answer.status !== 410) return step.judge(answer, at)
    step.refuse?.()
    model.learnGone(item, at)
  },
})

/** Changes the value; with `If-Match`, only the state that the clients know. */
export const changeOf = (parts: Parts, item: Item, isConditional = false): Step => {
  const { model } = parts
  const version = model.newest(item)
  const { expires, kind, owner, alias, limit } = item
  const tag = `"${version}.${(expires.to === never ? 0 : expires.to).toString(36)}"`
  const state = model.change(item)
  const refuse = () => model.refuse(item, state)
  const mayBeOutdated = () =>
    item.states.some(({ version: other = never }) => other > version) ||
    item.expires !== expires ||
    expires.from !== expires.to ||
    // Somebody is replacing what its name leads to.
    (alias !== undefined && [...model.holders(kind, alias)].some(({ isReplacing }) => isReplacing))
  return about(parts, item, {
    path: idPathOf(item),
    method: 'PATCH',
    owner,
    body: bodyOf(kind, state.number),
    headers: isConditional ? { 'If-Match': tag } : {},
    judge: (answer, at) => {
      if (answer.status === 200) {
        const row = rowIn(answer)
        if (isConditional && row.version !== version + 1) wrong(`version ${row.version} from ${version}`)
        if (model.find(kind, row).number !== state.number) wrong('another value came back')
        model.learn(item, state.number, at, row.version)
        return
      }
      refuse()
      const isRight =
        limit === undefined
          ? isConditional && answer.status === 412 && mayBeOutdated()
          : answer.status === 409
      if (!isRight) unexpected(answer)
    },
    refuse,
  })
}
const change: Make = (parts) => {
  const item = pickOwn(parts)
  return item && changeOf(parts, item, parts.random.next() < 0.4)
}

const changeExpiry: Make = (parts) => {
  const { model, random } = parts
  const isFree = ({ isBusy, alias = '', limit, deletionPath }: Item) =>
    !isBusy && !alias.startsWith('brief') && limit === undefined && deletionPath !== undefined
  const item = pickOwn(parts, isFree)
  if (!item) return undefined
  const expiresIn = random.pick([null, 2, 3600])
  const former = item.expires
  const soonest = expiresIn === null ? never : model.now() + expiresIn * 1000
  item.isBusy = true
  item.expires = { from: Math.min(former.from, soonest), to: former.to <= model.now() ? former.to : never }
  const refuse = () => Object.assign(item, { expires: former, isBusy: false })
  return about(parts, item, {
    path: idPathOf(item),
    method: 'PATCH',
    owner: item.owner,
    body: { expiresIn },
    judge: (answer, at) => {
      if (answer.status !== 200) unexpected(answer)
      const row = rowIn(answer)
      model.learn(item, model.find(item.kind, row).number, at, row.version)
      model.expireAt(item, row.expiresAt)
      item.isBusy = false
    },
    refuse,
  })
}

const erase: Make = (parts) => {
  const { model, random } = parts
  const item = pickOwn(parts)
  if (!item) return undefined
  const isByLink = item.deletionPath !== undefined && random.next() < 0.5
  item.deletions++
  const refuse = () => {
    item.deletions--
  }
  return about(parts, item, {
    path: isByLink ? (item.deletionPath ?? '') : idPathOf(item),
    method: isByLink && random.next() < 0.5 ? 'POST' : 'DELETE',
    ...(!isByLink && { owner: item.owner }),
    judge: (answer, at) => {
      if (answer.status !== 200) unexpected(answer)
      if (item.isDeleted) wrong('two deletions were answered with 200')
      if (model.isSurelyGone(item, at)) wrong('it was deleted, but was gone before')
      item.isDeleted = true
      item.goneAt = Math.min(item.goneAt, model.tick())
    },
    refuse,
  })
}

/** By id or by name; a burning item is only looked at. */
const read: Make = (parts) => {
  const { model, random } = parts
  const item = pickItem(parts)
  if (!item) return undefined
  const { kind, id = '', alias, limit } = item
  const isNamed = alias !== undefined && random.next() < 0.5
  const name = isNamed ? alias : id
  const form = random.pick(['value', 'value', 'page', 'json', 'record'])
  const isRecord = form === 'record' && parts.owners.includes(item.owner)
  const path = isRecord
    ? `/${kind}s/${name}`
    : kind === 'link'
      ? `/s/${name}`
      : form === 'value'
        ? `/p/raw/${name}`
        : `/p/${name}`
  if (kind === 'link' && !isRecord)
    for (const one of isNamed ? model.holders(kind, alias) : [item]) one.visits++
  const headers = { Accept: form === 'json' ? 'application/json' : form === 'page' ? 'text/html' : '*/*' }
  const valueIn = (answer: Answer) => {
    if (isRecord) return rowIn(answer)
    if (kind === 'link') return { url: answer.headers.get('location') ?? '' }
    if (form === 'value') return { text: answer.text }
    return form === 'json' ? (jsonOf(answer) as Row) : { title: /n\d{6}/.exec(answer.text)?.[0] ?? '' }
  }
  return {
    path,
    headers,
    ...(isRecord && { owner: item.owner }),
    about: isNamed ? [...model.holders(kind, alias)].slice(-3) : [item],
    judge: (answer, at) => {
      const { status } = answer
      if (status === 410 || (status === 404 && isNamed)) {
        if (!isNamed) return model.learnGone(item, at)
        for (const one of model.holders(kind, alias))
          if (one.id !== undefined && (one.states[0]?.answered ?? never) < at.tick) model.learnGone(one, at)
        return
      }
      if (limit !== undefined && !isNamed) {
        const isRight = isRecord
          ? status === 200
          : status === 403 || (status === 200 && headers.Accept === 'text/html')
        if (!isRight) unexpected(answer)
        if (model.isSurelyGone(item, at)) wrong('it is there, but was gone before')
        return
      }
      if (status !== (kind === 'link' && !isRecord ? 302 : 200)) unexpected(answer)
      const { text, title, url, version } = valueIn(answer) as Row
      const value = kind === 'link' ? url : text
      const number = value === undefined ? Number(title?.slice(1)) : numberOf(kind, value)
      if (isNamed) model.learnNamed(kind, alias, number, at)
      else model.learn(item, number, at, version)
    },
  }
}

const consume: Make = (parts) => {
  const { model } = parts
  const item = pickItem(parts, ({ limit }) => limit !== undefined)
  if (!item) return undefined
  const { kind, id = '', limit = 0 } = item
  item.unknownUses++
  return about(parts, item, {
    path: readPathOf(kind, id),
    method: 'POST',
    judge: (answer, at) => {
      if (answer.status !== (kind === 'link' ? 303 : 200)) unexpected(answer)
      item.unknownUses--
      item.used++
      if (item.used > limit) wrong(`used ${item.used} times of ${limit}`)
      const value = kind === 'link' ? (answer.headers.get('location') ?? '') : answer.text
      model.learn(item, numberOf(kind, value), at)
      if (item.used === limit) item.goneAt = Math.min(item.goneAt, model.tick())
    },
    refuse: () => {
      item.unknownUses--
    },
  })
}

/** Whether a version must be there to read, for an answer to a request sent then. */
export const isSurelyKept = (item: Item, state: State, newest: number) =>
  state.version !== undefined &&
  state.version >= newest - 4 &&
  (!item.erased || state.sent > item.erased.answered)

const listVersions: Make = (parts) => {
  const item = pickOwn(parts, ({ limit }) => limit === undefined)
  if (!item) return undefined
  const known = item.states.filter(({ answered, version }) => answered < never && version !== undefined)
  const erased = item.erased
  return about(parts, item, {
    path: `${idPathOf(item)}/versions`,
    owner: item.owner,
    judge: (answer, at) => {
      if (answer.status !== 200) unexpected(answer)
      const { versions } = jsonOf(answer) as { versions: { version: number; bytes: number }[] }
      const newest = versions[0]?.version ?? 0
      if (versions.some(({ version }, at) => at > 0 && version >= (versions[at - 1]?.version ?? 0)))
        wrong(`versions out of order: ${JSON.stringify(versions)}`)
      for (const state of known) {
        const listed = versions.find(({ version }) => version === state.version)
        if (listed && listed.bytes !== Buffer.byteLength(sentValue(item.kind, state.number)))
          wrong(`version ${state.version} has ${listed.bytes} bytes`)
        if (!listed && ((state.version ?? 0) > newest || isSurelyKept(item, state, newest)))
          wrong(`version ${state.version} is missing`)
        if (listed && erased && erased.answered < at.tick && listed.version < Math.min(erased.below, newest))
          wrong(`version ${state.version} was erased, but is listed`)
      }
    },
  })
}

const readVersion: Make = (parts) => {
  const { model, random } = parts
  const item = pickOwn(parts, ({ limit }) => limit === undefined)
  const state = item && random.pick(item.states.filter(({ version }) => version !== undefined))
  if (!item || !state) return undefined
  return {
    path: `${idPathOf(item)}/versions/${state.version}`,
    owner: item.owner,
    about: [item],
    judge: (answer) => {
      if (answer.status === 200) {
        if (model.find(item.kind, rowIn(answer)).number !== state.number)
          wrong(`version ${state.version} has another value`)
        return
      }
      if (answer.status !== 410) unexpected(answer)
      // Changes that nobody has answered yet may have pushed it out.
      const newest = model.newest(item) + item.states.filter(({ version }) => version === undefined).length
      if (isSurelyKept(item, state, newest) && !model.mayBeGone(item))
        wrong(`version ${state.version} is not kept`)
    },
  }
}

const eraseVersions: Make = (parts) => {
  const { model } = parts
  const item = pickOwn(parts, ({ limit, erased }) => limit === undefined && (erased?.answered ?? 0) < never)
  if (!item) return undefined
  const former = item.erased
  const erased = { sent: model.tick(), answered: never, below: model.newest(item) }
  item.erased = erased
  return about(parts, item, {
    path: `${idPathOf(item)}/versions`,
    method: 'DELETE',
    owner: item.owner,
    judge: (answer) => {
      if (answer.status !== 200) unexpected(answer)
      erased.answered = model.tick()
    },
    refuse: () => {
      if (former) item.erased = former
      else delete item.erased
    },
  })
}

export const sorts = {
  paste: ['created', 'changed', 'reads', 'size', 'expires'],
  link: ['created', 'changed', 'visits', 'size', 'expires'],
} as const

/** A page of a list, whichever order. */
const list: Make = (parts) => {
  const { model, random, owners } = parts
  const [kind, owner] = [anyKind(random), random.pick(owners)]
  const limit = random.pick([1, 5, 50, 200])
  const sort = random.pick(sorts[kind])
  const now = model.moment()
  const isCertain = (item: Item) =>
    item.kind === kind &&
    item.owner === owner &&
    item.deletionPath !== undefined &&
    item.expires.from === never &&
    !model.mayBeGone(item)
  const certain = [...model.items].filter(isCertain)
  return {
    path: `/${kind}s?sort=${sort}&limit=${limit}`,
    owner,
    about: [],
    judge: (answer) => {
      if (answer.status !== 200) unexpected(answer)
      const rows: Row[] = jsonOf(answer)[`${kind}s`]
      if (rows.length > limit) wrong(`${rows.length} items of ${limit}`)
      judgeRows(model, kind, owner, rows, now)
      // The other orders may lack what is younger than a second.
      if (sort !== 'created') return
      const oldest = rows.length < limit ? 0 : Date.parse(rows.at(-1)?.createdAt ?? '')
      const listed = new Set(rows.map(({ id }) => id))
      const missing = certain.find(
        (item) => item.sentMs > oldest && !listed.has(item.id ?? '') && isCertain(item),
      )
      if (missing) wrong(`it is missing\n${lastOf(missing)}`)
    },
  }
}

/** Every row is an item of that owner, as it was at some moment since the request was sent. */
const judgeRows = (model: Model, kind: Kind, owner: string, rows: readonly Row[], at: Moment) => {
  if (new Set(rows.map(({ id }) => id)).size < rows.length) wrong('an item is listed twice on one page')
  for (const row of rows) {
    const { item, number } = model.find(kind, row)
    if (item.owner !== owner) wrong(`${row.id} is an item of ${item.owner}`)
    const left = leftOf(row)
    if (left !== undefined && left < (item.limit ?? 0) - item.used - item.unknownUses)
      wrong(`${left} uses of ${row.id} are left`)
    try {
      model.learn(item, number, at, row.version)
    } catch (error) {
      wrong(`${(error as Error).message}\n${lastOf(item)}`)
    }
  }
}

/** Finds at most the item that has or had the word. */
const search: Make = (parts) => {
  const { model, random } = parts
  const item = pickOwn(parts)
  if (!item) return undefined
  const { number } = random.pick(item.states)
  const at = model.moment()
  return {
    path: `/${item.kind}s?q=${wordOf(number)}`,
    owner: item.owner,
    about: [item],
    judge: (answer) => {
      if (answer.status !== 200) unexpected(answer)
      const rows: Row[] = jsonOf(answer)[`${item.kind}s`]
      judgeRows(model, item.kind, item.owner, rows, at)
      if (rows.some(({ id }) => id !== item.id)) wrong(`${wordOf(number)} was found in another item`)
    },
  }
}

/** How often each operation comes, by what a round is about. */
const operations: Readonly<Record<string, Make>> = {
  create,
  createNamed,
  createExpiring,
  createBurning,
  replaceBrief,
  change,
  changeExpiry,
  erase,
  read,
  consume,
  listVersions,
  readVersion,
  eraseVersions,
  list,
  search,
}
export type Mood = Readonly<Record<string, number>>
const everything: Mood = {
  create: 10,
  createNamed: 10,
  createExpiring: 3,
  createBurning: 5,
  replaceBrief: 6,
  change: 12,
  changeExpiry: 2,
  erase: 8,
  read: 20,
  consume: 10,
  listVersions: 3,
  readVersion: 3,
  eraseVersions: 1,
  list: 3,
  search: 3,
}
export const moods = {
  everything,
  naming: { ...everything, createNamed: 60 },
  changing: { ...everything, change: 120, search: 10 },
  expiring: { ...everything, createExpiring: 80, replaceBrief: 20 },
  writing: { ...everything, readVersion: 0, listVersions: 0, list: 0, search: 0 },
} satisfies Readonly<Record<string, Mood>>

export const makeStep = (parts: Parts, mood: Mood): [name: string, step: Step] => {
  for (;;) {
    const all = Object.entries(mood) as [string, number][]
    let left = parts.random.next() * all.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [name, weight] of all) {
      left -= weight
      if (left >= 0) continue
      const step = operations[name]?.(parts)
      if (step) return [name, step]
      break
    }
  }
}
