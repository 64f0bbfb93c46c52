/** Tab indents, as in an editor. After Esc it leaves the field, as usual. Undo works. */
export const enableIndenting = (text: HTMLTextAreaElement) => {
  let leaves = false
  text.addEventListener('keydown', (event) => {
    const isTab = event.key === 'Tab' && !event.shiftKey && !event.ctrlKey && !event.altKey
    if (isTab && !leaves) {
      event.preventDefault()
      // The only way that keeps the browser's undo.
      document.execCommand('insertText', false, '\t')
    }
    leaves = event.key === 'Escape' || (leaves && event.key === 'Shift')
  })
  text.addEventListener('blur', () => {
    leaves = false
  })
}
