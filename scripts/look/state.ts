import type { Page } from 'playwright-core'
import type { createClient } from '../../test/support/client.ts'
import type { Sample } from './samples.ts'

/** How a page is opened. Light and dark are taken of one opening. */
export type Opening = { width: number; height: number; isScripted: boolean }

/** How many items the keys of the lists have. */
export const ownedCounts = [0, 3, 300] as const
export type OwnedCount = (typeof ownedCounts)[number]

type Client = ReturnType<typeof createClient>

/** Where a state is made: an empty tab, and servers to open in it. */
export type Stage = {
  page: Page
  isScripted: boolean
  /** A server without a rate limit. */
  client: Client
  /** A paste of a sample, which several pictures may share; made when first asked for. @returns its address */
  sample: (sample: Sample) => Promise<string>
  /** A key that has created this many items, made once. */
  owner: (count: OwnedCount) => Promise<string>
  /** An admin key. */
  admin: () => Promise<string>
  /** Opens a path of the server, or one of its own addresses. */
  open: (path: string) => Promise<void>
  /** What the browser keeps for the server: values of local storage by name, without the prefix. */
  keep: (values: Readonly<Record<string, string>>) => Promise<void>
  /** Opens a page of a server with a name, an accent and a footer of its own. */
  openNamed: (pathOf: (client: Client) => Promise<string>) => Promise<void>
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

export type Show = State['show']
type Marks = Pick<State, 'needsScript' | 'isPlain' | 'isUnfolded' | 'isLong'>

/** What makes states of a page. @param name comes after a slash; @param marks what is special about it */
export const statesOf =
  (page: string, view: string, route: string) =>
  (name: string, shows: string, show: Show, marks: Marks = {}): State => ({
    name: `${page}/${name}`,
    shows,
    view,
    route,
    show,
    ...marks,
  })

export const opens =
  (path: string): Show =>
  ({ open }) =>
    open(path)

/** Opens an address of what it creates. */
export const opensNew =
  (create: (client: Client) => Promise<Record<string, string>>, address: string): Show =>
  async ({ client, open }) =>
    open((await create(client))[address] ?? '')
