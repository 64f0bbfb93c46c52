import type { Page } from 'playwright-core'
import type { createClient } from '../../test/support/client.ts'
import type { Stock } from './stock.ts'

/** How a page is opened. Light and dark are taken of one opening. */
export type Opening = { width: number; height: number; isScripted: boolean }

type Client = ReturnType<typeof createClient>

/** Where a state is made: an empty tab, and servers to open in it. */
export type Stage = {
  page: Page
  isScripted: boolean
  /** A server without a rate limit. */
  client: Client
  /** Items that several pictures may share, made when first asked for. */
  stock: Stock
  /** Opens a path of the server, or one of its own addresses. */
  open: (path: string) => Promise<void>
  /** What the browser keeps for the server: values of local storage by name, without the prefix. */
  keep: (values: Readonly<Record<string, string>>) => Promise<void>
  /** Opens the start page of a server with the default rate limit. @returns a key that has used it up */
  openLimited: () => Promise<string>
}

/** One way a page can look. */
export type State = {
  /** Its name for `--only` and for the folder of its pictures; what stands before the slash is the page. */
  name: `${string}/${string}`
  /** What is to be seen. */
  shows: string
  /** The file of `views/` that draws it. */
  view: string
  /** The path that answers it, as `/openapi.json` names it. */
  route: string
  /** There is no such state without JavaScript. */
  needsScript?: true
  /** There is such a state only without JavaScript. */
  isPlain?: true
  /** The browser itself unfolds a part after the first paint, since the address names it. */
  isUnfolded?: true
  /** What lies below the window is worth a look as well. */
  isLong?: true
  /** Leads an empty tab into it. */
  show: (stage: Stage) => Promise<void>
}
