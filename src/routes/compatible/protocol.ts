import type { AppError } from '../../errors.ts'
import { explain } from '../../http/errors.ts'
import type { Pools } from '../../http/memory.ts'
import type { Origin } from '../../http/origin.ts'
import type { Handle, RequestContext, Route } from '../../http/routes.ts'
import type { KeyChecks } from '../../http/who.ts'
import type { StoredLink } from '../../items/link.ts'
import type { StoredPaste } from '../../items/paste.ts'
import type { Log } from '../../log.ts'
import type { Counts } from '../../services/counts.ts'
import type { Links } from '../../services/links.ts'
import type { LifetimeChoice } from '../../services/options.ts'
import type { ItemsOfKey } from '../../services/own-items.ts'
import type { Pastes } from '../../services/pastes.ts'
import type { LinkCreation } from '../links/links.ts'
import type { PasteAnswers } from '../pastes/answer-paste.ts'
import type { PasteCreation } from '../pastes/create-paste.ts'

/** The parts of protocols of other programs. The rules stay in the services. */
export type ProtocolParts = KeyChecks & {
  pasteCreation: PasteCreation
  pasteAnswers: PasteAnswers
  linkCreation: LinkCreation
  /** Takes the form of the start page. */
  postForm: (context: RequestContext) => Promise<Response>
  pastes: Pick<Pastes, 'find' | 'isBurning' | 'isId' | 'findByDeletionKey' | 'delete'>
  links: Pick<Links, 'find' | 'isBurning' | 'readChange'>
  pastesOfKey: ItemsOfKey<StoredPaste>
  linksOfKey: ItemsOfKey<StoredLink>
  counts: Pick<Counts, 'of' | 'ofMany'>
  origin: Origin
  log: Log
  pools: Pools
  maxPasteBytes: number
  /** The first is the one of an item that asks for none. */
  lifetimes: readonly LifetimeChoice[]
  /** Milliseconds since the epoch. */
  now: () => number
}

/** The routes by which a protocol is spoken. */
export type Protocol = (parts: ProtocolParts) => readonly Route[]

/** What went wrong. `message` is a sentence for people; `field` is ours, if a single one is wrong. */
export type Failure = { status: number; message: string; kind: AppError['kind']; field?: string | undefined }

/** An error as a protocol says it. */
export type SayError = (failure: Failure) => Response

/** Answers errors in the words of a protocol; headers such as `Retry-After` stay. */
export const speaking =
  (log: Log, say: SayError) =>
  (handle: Handle): Handle =>
  async (context) => {
    try {
      return await handle(context)
    } catch (error) {
      const { problem, headers = {} } = error as Partial<AppError>
      const answer = say({ ...explain(error, log), field: problem?.field })
      for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value)
      return answer
    }
  }

/** What `Authorization` holds after a scheme such as `Bearer` or `token`, or alone; only a key of ours. */
const authorized = (header: string) => /^(?:\w+ +)?(sc_\S+)$/.exec(header)?.[1]

/** The key of a request: in `key`, in a header of the protocol, or in `Authorization`; `null` for none. */
export const keyIn = ({ request: { headers } }: RequestContext, ...others: readonly string[]) =>
  ['key', ...others].map((name) => headers.get(name)).find((value) => value !== null) ??
  authorized(headers.get('authorization') ?? '') ??
  null

/** A message with our fields as a protocol names them. */
export const inTheirNames = (message: string, theirs: Readonly<Record<string, string>>) =>
  message.replace(/"(\w+)"/g, (quoted, name) => (Object.hasOwn(theirs, name) ? `"${theirs[name]}"` : quoted))

/** As rustypaste and YOURLS write a time, in UTC. @param time milliseconds since the epoch */
export const timeText = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ')
