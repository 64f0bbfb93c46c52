import { element } from './dom.ts'

/** Asks before something is lost. @param yes the word of the button that does it @returns true if that was pressed */
export const isSure = (question: string, yes: string) => {
  const dialog = element<HTMLDialogElement>('#sure')
  element('#sure-question').textContent = question
  element('#sure-yes').textContent = yes
  dialog.returnValue = ''
  dialog.showModal()
  return new Promise<boolean>((answer) =>
    dialog.addEventListener('close', () => answer(dialog.returnValue === 'yes'), { once: true }),
  )
}
