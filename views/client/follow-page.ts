// Loaded by the page of a paste that was changed at least once: shows its newest version while somebody looks.
import { showAges } from './age.ts'
import { announce, element } from './dom.ts'

/** A change is seen within two seconds, with the time that the answer takes. */
const everyMs = 1500
/** So close to the end of the page, a reader is at the end. */
const endPixels = 8

const button = element('#follow')
/** The entity tag of the page that is shown; unknown until the first answer. */
let tag: string | undefined
let timer: ReturnType<typeof setTimeout> | undefined

const isFollowing = () => button.ariaPressed === 'true'

/** More says it, and the facts do. */
const showState = (isOn: boolean) => {
  button.ariaPressed = String(isOn)
  element('#following').hidden = !isOn
}

const isAtEnd = () => innerHeight + scrollY >= document.documentElement.scrollHeight - endPixels

/** What the page shows of the paste. */
const parts = ['title', 'h1', '#notices', '.about', '.lines'] as const

const versionOf = (page: Document) => element('.lines', page).dataset.version

/** A version that was shown without colours in a hurry is shown again with them. */
const isWithColours = (page: Document) => page.querySelector('#plain') === null

/** Somebody who types a word to find goes on typing. */
const showLogBar = (page: Document) => {
  const [shown, next] = [document, page].map((one) => one.querySelector('.log-bar'))
  if (shown && next && !shown.contains(document.activeElement)) shown.replaceWith(next)
}

const show = (html: string) => {
  const newest = new DOMParser().parseFromString(html, 'text/html')
  const isNew = versionOf(newest) !== versionOf(document)
  if (!isNew && isWithColours(newest) === isWithColours(document)) return
  const wasAtEnd = isAtEnd()
  const [left, top] = [scrollX, scrollY]
  // A view may be refused, or come late.
  element('#code').className = element('#code', newest).className
  for (const part of parts) element(part).replaceWith(element(part, newest))
  showState(isFollowing())
  showLogBar(newest)
  showAges()
  dispatchEvent(new HashChangeEvent('hashchange'))
  scrollTo(left, wasAtEnd ? document.documentElement.scrollHeight : top)
  if (isNew) announce('The paste was changed')
}

const stop = (why: string) => {
  showState(false)
  announce(why)
}

const ask = async () => {
  // With a condition of our own, the browser hands on the 304. It counts as no read.
  const headers = { Accept: 'text/html', Purpose: 'follow', ...(tag && { 'If-None-Match': tag }) }
  const response = await fetch(location.href, { headers })
  if (response.status === 404 || response.status === 410) return stop('The paste is gone')
  if (response.status !== 200) return
  const html = await response.text()
  // A page that was made without colours in a hurry has no tag.
  tag = response.headers.get('etag') ?? undefined
  if (isFollowing()) show(html)
}

/** Asks now, and again later, while the page is visible. A server that does not answer is asked again. */
const follow = async () => {
  clearTimeout(timer)
  if (!isFollowing() || document.hidden) return
  await ask().catch(() => {})
  timer = setTimeout(follow, everyMs)
}

button.addEventListener('click', () => {
  if (isFollowing()) return stop('No longer following')
  showState(true)
  announce('Following: changes appear here')
  void follow()
})
document.addEventListener('visibilitychange', () => void follow())
