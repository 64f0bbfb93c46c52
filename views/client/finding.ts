/** How long somebody types before the search is sent. */
const typingMs = 150

/** Calls `find` shortly after the last character was typed, and at once after a choice or Enter. */
export const enableFinding = (form: HTMLFormElement, find: () => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const later = (afterMs: number) => {
    clearTimeout(timer)
    timer = setTimeout(find, afterMs)
  }
  form.addEventListener('input', ({ target }) => later(target instanceof HTMLSelectElement ? 0 : typingMs))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    later(0)
  })
}
