import { announce } from './dom.ts'

const give = (event: ClipboardEvent, text: string) => {
  event.clipboardData?.setData('text/plain', text)
  event.preventDefault()
}

/** Plain `http://nas/` has no clipboard API: a selection and the old command do. */
const copyBySelection = (text: string) => {
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'offscreen'
  // The text area has turned CRLF into LF.
  area.addEventListener('copy', (event) => give(event, text))
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  return isCopied
}

/** @param what was copied, for the message @returns whether it was copied; says so on the page either way */
export const copy = async (text: string, what = 'Copied') => {
  const focused = document.activeElement
  let isCopied = false
  try {
    await navigator.clipboard.writeText(text)
    isCopied = true
  } catch {
    isCopied = copyBySelection(text)
  }
  if (focused instanceof HTMLElement) focused.focus()
  announce(isCopied ? what : 'Copying failed: select the text and copy it by hand')
  return isCopied
}

/** Copies a selection as the very characters of the paste: browsers drop or double some of its line ends. */
export const copySelectionExactly = (code: HTMLElement) => {
  code.addEventListener('copy', (event) => {
    const range = getSelection()?.getRangeAt(0)
    if (!range || !code.contains(range.commonAncestorContainer)) return
    give(event, range.cloneContents().textContent ?? '')
  })
}
