import style from './style.css' with { type: 'text' }

/** Of the page, in CSS pixels. */
export const viewport = { width: 560, height: 234 }
/** `href` is a data: address of the page. */
export type Picture = { theme: 'light' | 'dark'; isMarked: boolean; href: string }
/** `marked` is the end of the address that marks lines. */
type Recording = {
  steps: readonly { command: string; output: string }[]
  address: string
  marked: string
  pictures: readonly Picture[]
}

/** Pixels of the drawing: on a phone of 360 px, everything has half its size. */
const [width, height, inset, letter, row] = [720, 556, 18, 10.8, 26]
const page = { top: 212, width: width - 2 * inset, bar: 40 }
const pageHeight = (viewport.height * page.width) / viewport.width
/** In seconds. Some letters are typed already, so the first picture is not empty. */
const [round, lettersPerSecond, typedAtStart] = [13, 22, 8]
const percent = (seconds: number) => `${((100 * seconds) / round).toFixed(2)}%`

/** Classes that animate, and their rules. What is drawn without them is the last picture. */
const createTimeline = () => {
  const rules: string[] = []
  const plays = (frames: string, timing = 'step-end') => {
    const name = `a${rules.length}`
    const rule = `.${name} { animation: ${name} ${round}s ${timing} infinite }`
    rules.push(`${rule} @keyframes ${name} { ${frames} }\n`)
    return name
  }
  const appears = (at: number) => plays(`0% { opacity: 0 } ${percent(at)} { opacity: 1 }`)
  /** Uncovers letters one by one. */
  const types = (from: number, to: number, begin: number, end: number) => {
    const moved = (letters: number) => `transform: translateX(${(letters * letter).toFixed(1)}px); opacity: 1`
    const typing = `${percent(begin)} { ${moved(from)}; animation-timing-function: steps(${to - from}) }`
    const typed = `${percent(end)} { ${moved(to)} } ${percent(end + 0.3)} { opacity: 0 }`
    return plays(`0% { ${moved(from)} } ${typing} ${typed}`)
  }
  const rises = (at: number) => {
    const low = `0%, ${percent(at)} { opacity: 0; transform: translateY(60px) }`
    const high = `${percent(at + 0.5)}, ${percent(round - 0.3)} { opacity: 1; transform: none }`
    return plays(`${low} ${high} 100% { opacity: 0; transform: none }`, 'ease-out')
  }
  return { appears, types, rises, rules }
}
type Timeline = ReturnType<typeof createTimeline>

const rect = (kind: string, x: number, y: number, wide: number, high: number, radius = 0) =>
  `<rect class="${kind}" x="${x}" y="${y}" width="${wide.toFixed(1)}" height="${high}" rx="${radius}"/>`
/** Every font is fitted to one grid. */
const text = (kind: string, x: number, y: number, words: string) =>
  `<text class="${kind}" x="${x}" y="${y}" textLength="${(words.length * letter).toFixed(1)}" lengthAdjust="spacingAndGlyphs" xml:space="preserve">${Bun.escapeHTML(words)}</text>`
const dots = (x: number, y: number) =>
  [0, 20, 40].map((right) => `<circle class="dot" cx="${x + right}" cy="${y}" r="6"/>`).join('')
const group = (kind: string, ...parts: readonly string[]) => `<g class="${kind}">\n${parts.join('\n')}\n</g>`

const drawTerminal = ({ steps, address }: Recording, { appears, types }: Timeline) => {
  const start = inset + 2 * letter
  let [y, begin, shownAt, typed] = [66, 0.4, 0, typedAtStart]
  const parts = [rect('terminal', 0, 0, width, height, 10), dots(24, 24)]
  for (const { command, output } of steps) {
    const end = begin + (command.length - typed) / lettersPerSecond
    const cover = rect('blank', start, y - 20, width - inset - start, 26)
    const cursor = rect('cursor', start, y - 18, letter, 23)
    const hides = group(`cover ${types(typed, command.length, begin, end)}`, cover, cursor)
    const words = [text('prompt', inset, y, '$'), text('typed', start, y, command)]
    parts.push(group(appears(shownAt), ...words, hides))
    ;[shownAt, begin, typed] = [end + 0.3, end + 1, 0]
    for (const line of output.match(/.{1,63}/g) ?? []) {
      y += row
      const opens = `opened ${appears(shownAt + 0.9)}`
      if (line === address) parts.push(rect(opens, inset - 4, y - 19, line.length * letter + 8, 25, 4))
      parts.push(group(appears(shownAt), text(line.startsWith('http') ? 'link' : 'printed', inset, y, line)))
    }
    y += row
  }
  parts.push(rect('edge', 0.5, 0.5, width - 1, height - 1, 10))
  return { parts, opensAt: shownAt + 1.3 }
}

const drawPage = ({ address, marked, pictures }: Recording, at: number, { appears, rises }: Timeline) => {
  const [marks, words] = [appears(at + 2.4), inset + 100]
  const image = ({ theme, isMarked, href }: Picture) =>
    `<g class="${isMarked ? marks : ''}"><image class="${theme}" x="${inset}" y="${page.top + page.bar}" width="${page.width}" height="${pageHeight}" href="${href}"/></g>`
  return group(
    rises(at),
    rect('frame', inset, page.top, page.width, page.bar + pageHeight, 10),
    dots(inset + 22, page.top + page.bar / 2),
    rect('field', words - 16, page.top + 5, page.width - 98, 30, 15),
    text('address', words, page.top + 26, address),
    group(marks, text('address', words + address.length * letter, page.top + 26, marked)),
    ...pictures.map(image),
  )
}

/** An animated SVG in the colours of the reader's theme; at the address `#still`, its last picture. */
export const drawingOf = (recording: Recording) => {
  const timeline = createTimeline()
  const { parts, opensAt } = drawTerminal(recording, timeline)
  const drawn = [...parts, drawPage(recording, opensAt, timeline)].join('\n')
  const root = `xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" id="still"`
  return `<svg ${root} aria-label="Two commands, then the page of a paste">\n<style>${style}${timeline.rules.join('')}</style>\n${drawn}\n</svg>\n`
}
