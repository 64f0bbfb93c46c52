// Runs before the first paint of a text that opens as its view: goes to its source if that was chosen the last time.
import { read } from './storage.ts'

/** All in one function: the early scripts of a page share their outermost names, which are short ones. */
const openAsChosen = (view: string | undefined) => {
  const page = document.documentElement
  /** A preview has no lines. */
  const isOfLine = () => view === 'preview' && /^#L\d/.test(location.hash)

  const goToSource = () => {
    // Nothing is shown meanwhile; if the source does not come, the view is.
    page.hidden = true
    setTimeout(() => {
      page.hidden = false
    }, 3000)
    location.replace(`?view=text${location.hash}`)
  }

  if (isOfLine() || read(`view-${view}`) === 'source') goToSource()
  addEventListener('hashchange', () => isOfLine() && goToSource())
}

if (!/[?&]view=/.test(location.search)) openAsChosen(document.currentScript?.dataset.view)
