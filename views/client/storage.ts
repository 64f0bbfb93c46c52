/** Local storage may be off or full; the page then works without it. */
export const read = (name: string): string | undefined => {
  try {
    return localStorage.getItem(`shortcrust:${name}`) ?? undefined
  } catch {
    return undefined
  }
}

/** @returns true if it was stored */
export const write = (name: string, value: string | undefined): boolean => {
  try {
    if (value === undefined) localStorage.removeItem(`shortcrust:${name}`)
    else localStorage.setItem(`shortcrust:${name}`, value)
    return true
  } catch {
    return false
  }
}
