import { sizeText } from '../../src/format.ts'
import { element } from './dom.ts'

type Held = { kind: 'paste' | 'link'; items: number; bytes: number }
type Day = { day: string; pastes: number; links: number }

/** The answer of `GET /stats`, as far as this page shows it. */
export type Stats = {
  totals: readonly Held[]
  keys: readonly (Held & { owner: string })[]
  days: readonly Day[]
  versions: { count: number; bytes: number }
  disk?: { freeBytes: number; totalBytes: number }
  index: string
}

const number = (value: number) => value.toLocaleString('en')

const create = (name: string, text = '', className = '') => {
  const made = document.createElement(name)
  made.textContent = text
  if (className) made.className = className
  return made
}

const words = { paste: 'Pastes', link: 'Short links' }
const states: Readonly<Record<string, string>> = {
  whole: 'OK',
  building: 'being built: items are missing',
  memory: 'in memory only',
}

const showFacts = ({ totals, versions, disk, index }: Stats) => {
  const facts: [string, string, string][] = [
    ...totals.map(({ kind, items, bytes }): [string, string, string] => [
      words[kind],
      number(items),
      sizeText(bytes),
    ]),
    ['Earlier versions', number(versions.count), sizeText(versions.bytes)],
    ...(disk
      ? [
          ['Free space', sizeText(disk.freeBytes), `of ${sizeText(disk.totalBytes)}`] as [
            string,
            string,
            string,
          ],
        ]
      : []),
    ['Index', states[index] ?? index, ''],
  ]
  const rows = facts.map(([name, value, more]) => {
    const row = create('div')
    const fact = create('dd', value)
    if (more) fact.append(create('span', more, 'more'))
    row.append(create('dt', name), fact)
    return row
  })
  element('#figures').replaceChildren(...rows)
}

const svgNode = (name: string, attributes: Readonly<Record<string, string | number>>) => {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value))
  return node
}

/** Width of a day and height of the picture, in its own units. */
const [dayWidth, height] = [10, 100]

/** Items by day, short links on top of pastes. One text says what it shows. */
const showChart = (days: readonly Day[]) => {
  const counts = days.map(({ pastes, links }) => pastes + links)
  const most = Math.max(...counts)
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? '']
  const sum = counts.reduce((all, count) => all + count, 0)
  const peak = most === 0 ? '' : `, most on ${days[counts.indexOf(most)]?.day}: ${number(most)}`
  const svg = svgNode('svg', {
    viewBox: `0 0 ${dayWidth * days.length} ${height}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': `Items created by day, from ${first} to ${last}: ${number(sum)} in all${peak}`,
  })
  for (const [at, { day, pastes, links }] of days.entries()) {
    const group = svgNode('g', {})
    const title = svgNode('title', {})
    title.textContent = `${day}: pastes ${number(pastes)}, short links ${number(links)}`
    group.append(title)
    const heightOf = (count: number) => (most === 0 ? 0 : (count / most) * height)
    const bar = (name: string, count: number, below: number) =>
      svgNode('rect', {
        class: name,
        x: at * dayWidth + 1,
        y: height - heightOf(count + below),
        width: dayWidth - 2,
        height: heightOf(count),
      })
    group.append(bar('of-pastes', pastes, 0), bar('of-links', links, pastes))
    svg.append(group)
  }
  element('#chart').replaceChildren(svg)
  const ends = [first, `${number(sum)} in 30 days${peak}`, last].map((text) => create('span', text))
  element('#chart-ends').replaceChildren(...ends)
}

const showKeys = (keys: Stats['keys']) => {
  const rows = keys.map(({ owner, kind, items, bytes }) => {
    const row = create('tr')
    const cells = [words[kind], number(items), sizeText(bytes)].map((text) => create('td', text))
    const head = create('th', owner)
    head.setAttribute('scope', 'row')
    row.append(head, ...cells)
    return row
  })
  element('#by-key').replaceChildren(...rows)
}

export const showStats = (stats: Stats) => {
  showFacts(stats)
  showChart(stats.days)
  showKeys(stats.keys)
}
