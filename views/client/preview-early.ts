// Runs before the first paint of a Markdown text: goes to its preview if that was chosen the last time.
import { read } from './storage.ts'

/** A `?` asks for this page, and a line is only in the text. */
const isAskedFor = location.href.includes('?') || /^#L\d/.test(location.hash)

if (!isAskedFor && read('preview') !== undefined) {
  const page = document.documentElement
  // Nothing is shown meanwhile; if the preview does not come, the text is.
  page.hidden = true
  setTimeout(() => {
    page.hidden = false
  }, 3000)
  location.replace(`?view=preview${location.hash}`)
}
