import { conflict, invalid } from '../errors.ts'
import type { AliasStore } from '../store/documents/alias-store.ts'

/** Words of our own addresses, and the names that Windows keeps for devices: a record is a file of its name. */
export const reservedAliases = new Set(
  (
    'api assets delete docs documents edit export healthz import key links list new openapi p paste pastes preview qr ' +
    'raw readyz s share sharex shortener stats ' +
    'aux con nul prn com0 com1 com2 com3 com4 com5 com6 com7 com8 com9 ' +
    'lpt0 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9'
  ).split(' '),
)

// Before the letters are made small: the Kelvin sign would become a k.
const shape = /^[a-z0-9_-]{1,64}$/i

/** The alias as it is stored, or `undefined` for what cannot be one. A word reserved later stays an alias. */
export const normaliseAlias = (raw: string) => (shape.test(raw) ? raw.toLowerCase() : undefined)

/** The alias that a new item asks for, as it is stored, if it does. @throws {AppError} `invalid` */
export const aliasFor = (raw: string | undefined) => {
  if (raw === undefined) return undefined
  const alias = normaliseAlias(raw)
  if (alias === undefined) throw invalid('Field "alias" must be 1 to 64 of the characters a-z 0-9 - _')
  if (reservedAliases.has(alias))
    throw invalid(`Field "alias": the name "${alias}" is reserved; choose another`)
  return alias
}

export type AliasesParts<I> = {
  store: AliasStore
  /** True while the item of this id can be read. @throws {AppError} where nobody knows, because the read failed */
  isAlive: (id: string) => Promise<boolean>
  /** Takes back an item that nobody was told of. */
  erase: (item: I) => Promise<unknown>
  /** Runs `work` while no new item can get this name as its id; `undefined` where one has it, had it, or is getting it. */
  withFreeId: <R>(alias: string, work: () => Promise<R>) => Promise<R | undefined>
}

const taken = (alias: string) => conflict(`Field "alias": the name "${alias}" is taken; choose another`)

/**
 * Makes an item under a name of its own. The item comes before the record: a crash in between leaves an item that
 * nobody was told of, and never a name that leads nowhere.
 * @throws {AppError} `conflict`, the same for whatever reason somebody else may not have it; storage errors
 */
export const createClaim =
  <I extends { id: string }>({ store, isAlive, erase, withFreeId }: AliasesParts<I>) =>
  <C extends { item: I }>(alias: string, owner: string, insert: () => Promise<C>): Promise<C> =>
    store.inTurn(alias, async () => {
      const former = await store.load(alias)
      // Only the key that made it may take again what is gone, so that no link starts to lead where a stranger wants.
      if (former && (former.owner !== owner || (await isAlive(former.id)))) throw taken(alias)
      const made = await withFreeId(alias, async () => {
        const created = await insert()
        const { item } = created
        try {
          await store.write({ alias, id: item.id, owner }, former === undefined)
        } catch (error) {
          // Left behind by a disk that cannot erase either, it is as after a crash.
          await erase(item).catch(() => {})
          throw error
        }
        return created
      })
      if (made === undefined) throw taken(alias)
      return made
    })
