/** What the page of a new paste needs from the form. It is in no address. */
export type Made = {
  /** From the root: `p/7y84tyt5ec`. */
  path: string
  deletionUrl: string
  isCopied: boolean
  /** The key that made it, if this browser does not keep it. */
  key?: string
}

const name = 'shortcrust:made'

/** Until the tab closes, or something else is made. @returns false if the browser keeps nothing */
export const keepMade = (made: Made) => {
  try {
    sessionStorage.setItem(name, JSON.stringify(made))
    return true
  } catch {
    return false
  }
}

/** What was made last in this tab, if this is its page. */
export const madeHere = (): Made | undefined => {
  try {
    const made: Made | null = JSON.parse(sessionStorage.getItem(name) ?? 'null')
    return made && location.pathname.endsWith(`/${made.path}`) ? made : undefined
  } catch {
    return undefined
  }
}

export const forgetMade = () => sessionStorage.removeItem(name)
