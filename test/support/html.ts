import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5'

/** An element as a browser builds it from the page. */
export type Element = { name: string; attributes: Record<string, string>; text: string }

const textOf = (node: Tree.Node): string => {
  if ('value' in node) return node.value
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
}

const collect = (node: Tree.Node, found: Element[]) => {
  if (node.nodeName === '#comment') throw new Error('the page holds a comment')
  if ('tagName' in node) {
    const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]))
    found.push({ name: node.tagName, attributes, text: textOf(node) })
  }
  if ('childNodes' in node) for (const child of node.childNodes) collect(child, found)
  return found
}

/** The elements of a page, as the HTML standard parses it. @throws {Error} for a comment or a missing doctype */
export const parsePage = (html: string) => {
  const document = parse(html)
  if (document.mode !== 'no-quirks') throw new Error('the page has no doctype')
  return collect(document, [])
}

/** The rendering of a paste as its page shows it: what stands in the `section` of the code, and its elements. */
export const parseRendering = (html: string) => {
  const [page, head, body, code, ...elements] = parsePage(
    `<!doctype html><html><body><section>${html}</section></body></html>`,
  )
  const frame = [page, head, body, code].map((element) => element?.name).join(' ')
  if (frame !== 'html head body section') throw new Error(`the rendering broke out of its frame: ${frame}`)
  if (page?.text !== code?.text) throw new Error('the rendering put text outside of its frame')
  return { text: code?.text ?? '', elements }
}
