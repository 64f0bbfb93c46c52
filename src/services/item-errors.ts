import { AppError, gone, notFound } from '../errors.ts'
import type { ItemKind } from '../items/ids.ts'

const names = { paste: 'paste', link: 'short link' }
const uses = { paste: 'read', link: 'followed' }

/** Nothing was ever at this address. */
export const noSuchItem = (kind: ItemKind) => notFound(`There is no ${names[kind]} at this address`)

/** Only a trace is left. */
export const deletedItem = (kind: ItemKind) => gone(`This ${names[kind]} was deleted or has expired`)

/** Its instant has come, and it may still be on disk. */
export const expiredItem = (kind: ItemKind) => gone(`This ${names[kind]} has expired`)

/** Nothing is left of what somebody wants to use. */
export const usedItem = (kind: ItemKind) =>
  gone(`This ${names[kind]} was ${uses[kind]} as often as it may be, was deleted or has expired`)

const otherKinds = { paste: 'a link, not a paste', link: 'a paste, not a link' }

/** Whatever is wrong with a deletion key, so that nobody learns what exists. */
export const unknownKey = (kind: ItemKind) =>
  notFound(
    `This deletion key belongs to no ${names[kind]}: it is mistyped or cut short, or belongs to ${otherKinds[kind]}`,
  )

/** Only a trace is left of what a deletion key names; its address says so as well. */
export const alreadyDeleted = (kind: ItemKind) =>
  gone(`This ${names[kind]} was already deleted or has expired`)

/** Says of a fault of the storage what it means for who wants to use an item; any other error stays as it is. */
export const notSpent = (kind: ItemKind, error: unknown) => {
  const { kind: why } = error as Partial<AppError>
  if (why !== 'storage-full' && why !== 'storage-unavailable') return error
  const message = `The ${names[kind]} is not shown, because that could not be counted. Try again later.`
  return new AppError(why, message, {}, { cause: error })
}
