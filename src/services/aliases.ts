import { invalid } from '../errors.ts'

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
