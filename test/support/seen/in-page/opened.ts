import { between, isSeen, nameOf } from './boxes.ts'

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))

const isScripted = () => matchMedia('(scripting: enabled)').matches

/** A script places what was opened a moment later. Where none runs there are no frames to wait for either. */
const untilPlaced = async () => {
  if (!isScripted()) return
  await nextFrame()
  await nextFrame()
}

const named = (what: string, faults: readonly string[]) => faults.map((fault) => `with ${what}: ${fault}`)

/** What is wrong while each menu, and then the list of shortcuts, is open. Below an open dialog none can be opened. */
export const openedOneByOne = async (look: () => string[]) => {
  if (document.querySelector('dialog[open]')) return []
  const faults: string[] = []
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu:not([open])')) {
    const summary = menu.querySelector('summary')
    if (!summary || menu.closest(between) || !isSeen(summary)) continue
    summary.click()
    await untilPlaced()
    faults.push(...named(nameOf(summary), look()))
    for (const part of menu.querySelectorAll('details > summary')) {
      ;(part as HTMLElement).click()
      await untilPlaced()
      faults.push(...named(nameOf(part), look()))
    }
    summary.click()
  }
  const help = document.getElementById('help')
  const dialog = document.querySelector<HTMLDialogElement>('#shortcuts')
  const isThere = help && (isSeen(help) || (help.closest('.menu') && isScripted()))
  if (!dialog || !isThere) return faults
  help.click()
  faults.push(...(dialog.open ? named('its shortcuts', look()) : ['its shortcuts do not open']))
  dialog.close()
  return faults
}
