import { Failure } from '../client/failures.ts'
import { findNamed, itemNamed } from '../client/named-item.ts'
import { targetOf } from '../client/target.ts'
import type { ClientCommand, Terminal } from '../terminal.ts'

/** What opens an address in the browser of the user. */
const openerOf = ({ env, platform }: Terminal) => {
  if (env.BROWSER) return env.BROWSER
  if (platform === 'win32') return 'start ""'
  return platform === 'darwin' ? 'open' : 'xdg-open'
}

/** Opens an item of the key in a browser; the preview of a short link, for following it is a visit. */
export const openItem: ClientCommand = async ([raw = ''], flags, terminal) => {
  const named = itemNamed(raw)
  const { plural, address } = await findNamed(await targetOf(flags, terminal), named)
  const page = plural === 'links' ? `${address}+` : address
  const opener = openerOf(terminal)
  const code = await terminal.openWith(opener, page)
  if (code === 0) return 0
  throw new Failure(`"${opener}" could not open ${page} (${code}); name a browser in BROWSER`, 1)
}
