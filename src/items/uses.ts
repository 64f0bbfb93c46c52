/** A paste that is limited has `readsLeft`, a link `visitsLeft`; both are at least 1, for with the last use the item goes. */
export type Limitable = { readsLeft?: number; visitsLeft?: number }

/** How often an item may still be read or followed; `undefined` for one that is not limited. */
export const usesLeft = ({ readsLeft, visitsLeft }: Limitable) => readsLeft ?? visitsLeft

/** True for an item that each use brings nearer to its end: nothing of it may be shown but to who spends a use. */
export const isLimited = (item: Limitable) => usesLeft(item) !== undefined

/** What one use makes of an item; `undefined` where it changes nothing. */
export const afterUse = <T extends Limitable>(item: T): T | 'erase' | undefined => {
  const left = usesLeft(item)
  if (left === undefined) return undefined
  if (left <= 1) return 'erase'
  return { ...item, [item.readsLeft === undefined ? 'visitsLeft' : 'readsLeft']: left - 1 }
}
