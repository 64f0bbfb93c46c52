/** Tab indents, as in an editor; after Esc it leaves the text, as everywhere else. Undo knows of it. */
export const enableIndenting = (text: HTMLTextAreaElement) => {
  let leaves = false
  text.addEventListener('keydown', (event) => {
    const isTab = event.key === 'Tab' && !event.shiftKey && !event.ctrlKey && !event.altKey
    if (isTab && !leaves) {
      event.preventDefault()
      // The only way that the browser's own undo takes back.
      document.execCommand('insertText', false, '\t')
    }
    leaves = event.key === 'Escape' || (leaves && event.key === 'Shift')
  })
  text.addEventListener('blur', () => {
    leaves = false
  })
}
