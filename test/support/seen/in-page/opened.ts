import { isSeen, nameOf } from './boxes.ts'

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))

/** A script places what was opened a moment later. Where none runs there are no frames to wait for either. */
const untilPlaced = async () => {
  if (!matchMedia('(scripting: enabled)').matches) return
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
    if (!summary || !isSeen(summary)) continue
    summary.click()
    await untilPlaced()
    faults.push(...named(nameOf(summary), look()))
    summary.click()
  }
  const help = document.getElementById('help')
  const dialog = document.querySelector<HTMLDialogElement>('#shortcuts')
  if (!help || !dialog || !isSeen(help)) return faults
  help.click()
  faults.push(...(dialog.open ? named('its shortcuts', look()) : ['its shortcuts do not open']))
  dialog.close()
  return faults
}
