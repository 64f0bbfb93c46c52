// The page of a paste, right after it was made: a bar with its address, and how to take it back. Its maker alone loads this.
import { deleteItem, drawn, Refusal } from './api.ts'
import { copy } from './copy.ts'
import { announce, element, elements } from './dom.ts'
import { forgetItem } from './items-local.ts'
import { keepKey } from './keep-key.ts'
import { forgetMade, keepMade, type Made, madeHere } from './made.ts'
import { openPart } from './menus.ts'
import { read } from './storage.ts'

const bar = `<p role="status"><strong></strong> <span class="made-address"></span></p>
  <button class="button small" type="button" data-qr>QR code</button>
  <details class="menu" name="menu">
    <summary class="button small">Undo…</summary>
    <div class="popup">
      <p>Delete this paste for everybody? Anyone with the deletion link can do that, too. You can copy the link only now.</p>
      <p class="row">
        <button class="button danger" type="button">Delete it</button>
        <button class="button" type="button">Copy deletion link</button>
      </p>
    </div>
  </details>
  <p class="made-keep" hidden>Keep this key in this browser? <button class="button small" type="button">Keep</button></p>`

const say = (error: unknown) => {
  if (!(error instanceof Refusal)) throw error
  announce(error.problem.message)
}

const offerToKeep = (offer: HTMLElement, key: string) => {
  offer.hidden = false
  element('button', offer).addEventListener('click', () =>
    keepKey(key).then(() => {
      offer.hidden = true
    }, say),
  )
}

const undo = async (deletionUrl: string) => {
  await deleteItem(deletionUrl)
  forgetItem((item) => item.deletionUrl === deletionUrl)
  forgetMade()
  location.replace(element<HTMLAnchorElement>('.brand').href)
}

const showBar = ({ deletionUrl, isCopied, key, ...made }: Made) => {
  const content = drawn(bar)
  const { origin, pathname } = location
  element('[data-qr]', content).addEventListener('click', () => {
    const code = element('#qr > summary')
    // After this click, which closes menus.
    setTimeout(() => openPart(code))
  })
  const [, confirm, copyDeletion] = elements('button', content)
  confirm?.addEventListener('click', () => undo(deletionUrl).catch(say))
  copyDeletion?.addEventListener('click', () => copy(deletionUrl, 'The deletion link was copied'))
  if (key !== undefined && read('key') === undefined) offerToKeep(element('.made-keep', content), key)
  // The key is shown to this page once, and is in no storage after that.
  keepMade({ deletionUrl, isCopied, ...made })
  element('.made').append(content)
  element('.made').classList.add('notice')
  element('.made').hidden = false
  // Only what comes into a status after it is there is read out.
  element('.made strong').textContent = isCopied ? 'Created, and the link is copied:' : 'Created:'
  // It may break before its path, not inside the id.
  element('.made-address').append(origin, document.createElement('wbr'), pathname)
  if (!isCopied)
    elements('#copy-link, #share')
      .find((button) => button.checkVisibility())
      ?.focus()
}

const made = madeHere()
if (made) showBar(made)
