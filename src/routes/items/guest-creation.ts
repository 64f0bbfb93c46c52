import { forbidden } from '../../errors.ts'
import type { KeyHolder } from '../../services/keys.ts'

/** Guests share one owner, so none may change what another made. @throws {AppError} `forbidden` for `replace` */
export const checkGuestCreation = ({ as }: KeyHolder, body: object) => {
  if (as === 'guest' && 'replace' in body && body.replace)
    throw forbidden('Without an API key you can only create: "replace" needs the key that made the item')
}
