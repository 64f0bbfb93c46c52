import { type Box, clippers, controls, intersection, isOverlap, isSeen, nameOf } from './boxes.ts'
import { outermost, popups } from './reach.ts'

type Piece = { element: Element; box: Box; layer: Element | undefined }

/** What more texts than these show is lines of code, one like the other. */
const mostTexts = 600

/** What stays in place while the page scrolls, or lies over it, is by design above something else. */
const layerOf = (element: Element, over: readonly Element[]) => {
  for (let at: Element | null = element; at; at = at.parentElement)
    if (over.includes(at) || /fixed|sticky/.test(getComputedStyle(at).position)) return at
  return undefined
}

/** What is left of a box after everything around it has cut it. */
const clipped = (by: readonly Element[], box: Box) =>
  by.reduce((left, clipper) => intersection(left, clipper.getBoundingClientRect()), box)

/** A line of text without the room above and below its letters. */
const lettersOf = ({ left, right, top, bottom }: Box, size: number): Box => {
  const middle = (top + bottom) / 2
  return { left, right, top: middle - size * 0.3, bottom: middle + size * 0.3 }
}

const textPieces = (within: Node, over: readonly Element[]) => {
  const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT)
  const pieces: Piece[] = []
  const range = document.createRange()
  for (let texts = 0; texts < mostTexts && walker.nextNode(); ) {
    const node = walker.currentNode
    const element = node.parentElement
    if (!element || !node.nodeValue?.trim() || !isSeen(element)) continue
    texts++
    range.selectNodeContents(node)
    const size = Number.parseFloat(getComputedStyle(element).fontSize)
    const layer = layerOf(element, over)
    const by = [element, ...clippers(element)].filter((at) => getComputedStyle(at).overflowX !== 'visible')
    for (const box of range.getClientRects())
      pieces.push({ element, layer, box: clipped(by, lettersOf(box, size)) })
  }
  return pieces
}

const controlPieces = (within: ParentNode, over: readonly Element[]) =>
  controls(within)
    .filter((control) => getComputedStyle(control).display !== 'inline')
    .map(
      (element): Piece => ({
        element,
        layer: layerOf(element, over),
        box: clipped(clippers(element), element.getBoundingClientRect()),
      }),
    )

const isRelated = (a: Element, b: Element) => a.contains(b) || b.contains(a)

/** Texts and controls of which one is painted over the other. */
export const overlaps = () => {
  scrollTo(0, 0)
  const over = popups()
  // What lies over the page moves nothing in it: the page is looked at without it.
  const parts = over.length === 0 ? [document.body] : outermost(over)
  const pieces = parts
    .flatMap((part) => [...textPieces(part, over), ...controlPieces(part, over)])
    .sort((a, b) => a.box.top - b.box.top)
  const faults = new Set<string>()
  for (const [at, a] of pieces.entries())
    for (let next = at + 1; next < pieces.length; next++) {
      const b = pieces[next] as Piece
      if (b.box.top >= a.box.bottom) break
      if (a.layer !== b.layer || isRelated(a.element, b.element)) continue
      if (isOverlap(intersection(a.box, b.box)))
        faults.add(`${nameOf(a.element)} and ${nameOf(b.element)} overlap`)
    }
  return [...faults]
}
