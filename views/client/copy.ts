import { announce } from './dom.ts'

const fill = (event: ClipboardEvent, text: string) => {
  event.clipboardData?.setData('text/plain', text)
  event.preventDefault()
}

/** Pages at plain `http://nas/` have no clipboard API, so this uses a selection and the old command. */
const copyBySelection = (text: string) => {
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'offscreen'
  // The text area has changed CRLF to LF.
  area.addEventListener('copy', (event) => fill(event, text))
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  return isCopied
}

/** Copies a text without a word. @returns false if the browser refused */
export const give = async (text: string) => {
  const focused = document.activeElement
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  } finally {
    if (focused instanceof HTMLElement) focused.focus()
  }
}

/** Copies a text, and reports the result on the page. @param what the message @returns true if it was copied */
export const copy = async (text: string, what = 'Copied') => {
  const isCopied = await give(text)
  announce(isCopied ? what : 'Copying failed: select the text and copy it by hand')
  return isCopied
}

/** Copies a selection with the exact characters of the paste: browsers drop or double some line ends. */
export const copySelectionExactly = (code: HTMLElement) => {
  code.addEventListener('copy', (event) => {
    const range = getSelection()?.getRangeAt(0)
    if (!range || !code.contains(range.commonAncestorContainer)) return
    fill(event, range.cloneContents().textContent ?? '')
  })
}
