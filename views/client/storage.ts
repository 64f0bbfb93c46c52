/** Local storage can be switched off or full; the page then works without memory. */
export const read = (name: string): string | undefined => {
  try {
    return localStorage.getItem(`shortcrust:${name}`) ?? undefined
  } catch {
    return undefined
  }
}

/** @returns whether it was kept */
export const write = (name: string, value: string | undefined): boolean => {
  try {
    if (value === undefined) localStorage.removeItem(`shortcrust:${name}`)
    else localStorage.setItem(`shortcrust:${name}`, value)
    return true
  } catch {
    return false
  }
}
