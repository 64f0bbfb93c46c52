import { fileOf, type Kind } from '../measure/lists.ts'
import { inLanes } from '../measure/options.ts'
import type { Random } from '../measure/random.ts'
import {
  type Item,
  lastOf,
  type Model,
  type Moment,
  never,
  numberOf,
  type Row,
  Wrong,
  wordOf,
  wrong,
} from './model.ts'
import {
  type Answer,
  changeOf,
  idPathOf,
  isSurelyKept,
  jsonOf,
  readPathOf,
  rowIn,
  type Step,
  sorts,
} from './operations.ts'

export type Checked = {
  model: Model
  random: Random
  owners: readonly string[]
  /** Sends one request. */
  ask: (step: Pick<Step, 'path' | 'owner' | 'method'>) => Promise<Answer>
  /** Sends one, and judges the answer. */
  play: (name: string, step: Step) => Promise<void>
  /** Only what the documents say: no searches, no changes. */
  isBrief?: boolean
}

const kinds = ['paste', 'link'] as const
const checksAtOnce = 16
/** How long words may take to be indexed, on the slowest machine. */
const longestIndexingMs = 120_000

/** @throws {Wrong} with the last requests about the item */
const telling = async (item: Item, act: () => unknown) => {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof Wrong)) throw error
    throw new Wrong(`${error.message}\n${lastOf(item)}`)
  }
}

/** The rows of a whole list, and when it was asked for; once more while the words are still being read. */
const walk = async ({ model, ask }: Checked, owner: string, kind: Kind, sort: string) => {
  const deadline = Date.now() + longestIndexingMs
  for (;;) {
    const rows: [Row, Moment][] = []
    let isWhole = true
    for (let after: string | null = ''; after !== null; ) {
      const at = model.moment()
      const cursor: string = after && `&after=${after}`
      const page = jsonOf(await ask({ path: `/${kind}s?limit=200&sort=${sort}${cursor}`, owner }))
      after = page.after
      isWhole &&= page.isComplete ?? true
      for (const row of page[`${kind}s`]) rows.push([row, at])
    }
    if (isWhole) return rows
    if (Date.now() > deadline) wrong('the words are not read after two minutes')
    await Bun.sleep(50)
  }
}

/** Walks every list. What nobody answered is whole and listed, or absent. @returns the items that were listed */
const settleLists = async (checked: Checked) => {
  const { model, random, owners, isBrief } = checked
  const listed = new Map<Item, Row>()
  const cutOff: Item[] = []
  for (const owner of owners)
    for (const kind of kinds) {
      const names = new Map<string, string>()
      const sort = isBrief ? 'created' : random.pick(sorts[kind])
      for (const [row, at] of await walk(checked, owner, kind, sort)) {
        const { item, number } = model.find(kind, row)
        if (listed.has(item)) wrong(`${row.id} is listed twice, sorted by ${sort}`)
        listed.set(item, row)
        const { alias, id } = row
        if (alias && names.has(alias)) wrong(`${names.get(alias)} and ${id} both are listed as ${alias}`)
        if (alias) names.set(alias, id)
        if (item.states.some(({ answered }) => answered === never)) cutOff.push(item)
        await telling(item, () => model.settle(item, number, row, at))
      }
      for (const item of model.items)
        if (item.owner === owner && item.kind === kind && item.id !== undefined && !listed.has(item))
          await telling(item, () => {
            if (!model.mayBeGone(item)) wrong(`it is there, but not in the list sorted by ${sort}`)
            item.goneAt = Math.min(item.goneAt, model.tick())
          })
    }
  for (const item of [...model.items]) if (item.id === undefined) model.forget(item)
  return { listed, cutOff }
}

/** Its addresses show it, or say that it is gone. */
const checkAddresses = async ({ model, ask }: Checked, item: Item, row: Row | undefined) => {
  const { kind, id = '', alias, limit } = item
  const names = row && alias !== undefined ? [id, alias] : [id]
  for (const name of names) {
    if (kind === 'link') item.visits++
    const at = model.moment()
    const { status, headers, text } = await ask({ path: readPathOf(kind, name) })
    if (status === 410) model.learnGone(item)
    else if (row === undefined) wrong(`it is not listed, but ${name} answered ${status}`)
    else if (limit !== undefined && status === 403) continue
    else if (status !== (kind === 'link' ? 302 : 200)) wrong(`${name} answered ${status}`)
    else model.learn(item, numberOf(kind, kind === 'link' ? (headers.get('location') ?? '') : text), at)
  }
}

const checkVisits = async ({ model, ask }: Checked, item: Item) => {
  if (item.kind !== 'link' || item.limit !== undefined) return
  const { text } = await ask({ path: `/s/${item.id}+` })
  const shown = Number((/>([\d,]+) visits?</.exec(text)?.[1] ?? '0').replaceAll(',', ''))
  // Checking its address was the last visit.
  if (!model.mayBeGone(item) && (shown < 1 || shown > item.visits))
    wrong(`it was followed ${item.visits} times, but shows ${shown}`)
}

const checkFormer = async ({ model, ask }: Checked, item: Item, { version }: Row) => {
  const former = item.states.find((state) => state.version === version - 1)
  if (!former || !isSurelyKept(item, former, version)) return
  const answer = await ask({ path: `${idPathOf(item)}/versions/${version - 1}`, owner: item.owner })
  if (
    answer.status === 200
      ? model.find(item.kind, rowIn(answer)).number !== former.number
      : !model.mayBeGone(item)
  )
    wrong(`version ${version - 1} is not what it was (${answer.status})`)
}

/** Its newest word finds it, and a former one does not. */
const checkSearch = async ({ model, random, ask }: Checked, item: Item) => {
  const newest = item.states.reduce((a, b) => ((b.version ?? 0) > (a.version ?? 0) ? b : a))
  const others = item.states.filter((state) => state !== newest)
  const words = others.length ? [newest, random.pick(others)] : [newest]
  const deadline = Date.now() + longestIndexingMs
  for (const { number } of words)
    for (;;) {
      const { text } = await ask({ path: `/${item.kind}s?q=${wordOf(number)}`, owner: item.owner })
      const page = JSON.parse(text)
      const rows: Row[] = page[`${item.kind}s`]
      if (
        model.mayBeGone(item) ||
        (page.isComplete && (rows[0]?.id === item.id) === (number === newest.number))
      )
        break
      if (Date.now() > deadline)
        wrong(
          `${wordOf(number)}, ${number === newest.number ? 'its newest word, does not find it' : 'a former word, finds it'}`,
        )
      await Bun.sleep(50)
    }
}

/**
 * After a restart, with no request running: what was acknowledged is there, and what was not is whole or absent.
 * @param older how many items are looked at besides those of the last round
 */
export const checkAll = async (checked: Checked, older: number) => {
  const { model, random, play, isBrief } = checked
  const { listed, cutOff } = await settleLists(checked)
  const all = [...model.items]
  const looked = new Set(model.touched)
  for (let at = 0; at < older && all.length; at++) looked.add(random.pick(all))
  model.touched.clear()
  // A change that nobody answered must not hide a later one from searches.
  const changed = isBrief ? [] : cutOff.filter(({ limit }) => limit === undefined)
  await inLanes(changed, checksAtOnce, (item) => play('change after a kill', changeOf(checked, item)))
  await inLanes(looked, checksAtOnce, (item) =>
    telling(item, async () => {
      const row = listed.get(item)
      await checkAddresses(checked, item, row)
      if (!row) return
      await checkVisits(checked, item)
      if (!changed.includes(item)) await checkFormer(checked, item, row)
      if (item.limit === undefined && !isBrief) await checkSearch(checked, item)
    }),
  )
}

/** Uses every burning item until it is gone. */
export const exhaust = ({ model, ask }: Checked) =>
  inLanes(model.items, checksAtOnce, (item) =>
    telling(item, async () => {
      const { kind, id = '', limit } = item
      if (limit === undefined) return
      while ((await ask({ path: readPathOf(kind, id), method: 'POST' })).status !== 410)
        if (item.used++ >= limit) wrong(`used ${item.used} times of ${limit}`)
      model.learnGone(item)
    }),
  )

/** Path of the document of an item in the folder. */
const documentOf = ({ kind, id = '' }: Item) => fileOf('', kind, id)

const isOver = ({ goneAt, expires }: Item) => goneAt < never || expires.to <= Date.now()

/** Items that are gone, but whose documents are still there. */
export const leftIn = ({ items }: Model, isThere: (path: string) => boolean) =>
  [...items].filter((item) => item.id !== undefined && isOver(item) && isThere(documentOf(item)))

/** Items that were deleted or used up by a request that was answered, but whose documents are still there. */
export const erasedIn = ({ items }: Model, isThere: (path: string) => boolean) =>
  [...items].filter(
    (item) =>
      item.id !== undefined && (item.isDeleted || item.used === item.limit) && isThere(documentOf(item)),
  )

/** Items whose documents are missing. */
export const missingIn = (model: Model, isThere: (path: string) => boolean) =>
  [...model.items].filter((item) => !model.mayBeGone(item) && !isThere(documentOf(item)))
