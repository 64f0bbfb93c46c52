import { createCollector } from '../../collector.ts'
import { invalid } from '../../errors.ts'
import { json } from '../../http/answers.ts'
import { readJsonObject } from '../../http/body.ts'
import type { Addresses, Origin } from '../../http/origin.ts'
import type { KeyedContext, NamedContext } from '../../http/routes.ts'
import { type EarlierVersion, stateOf, versionOf } from '../../items/ids.ts'
import type { Done } from '../../items/schema.ts'
import type { Log } from '../../log.ts'
import type { Change, Item } from '../../services/items.ts'
import type { ItemsOfKey } from '../../services/own-items.ts'

export type ChangesParts<T extends Item> = {
  singular: 'paste' | 'link'
  name: string
  own: ItemsOfKey<T>
  readChange: (body: object, addresses: Addresses) => Change<T>
  maxBodyBytes: number
  /** The whole item, as an answer shows it. */
  recordOf: (context: KeyedContext, item: T) => Promise<object>
  sizeOf: (item: T) => number
  origin: Origin
  log: Log
}

/** The entity tag of an item for its key; it changes with every change. */
export const tagOf = (item: Item) => `"${stateOf(item)}"`

/**
 * Whether a state may be changed, from `If-Match` (RFC 9110). Weak tags count too: nginx weakens the tag of what it
 * compresses, and ours names a version, not bytes.
 */
const isExpectedBy = ({ headers }: Request) => {
  const asked = headers.get('if-match')
  if (asked === null || asked.trim() === '*') return undefined
  const tags = asked.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return (state: string) => tags.includes(`"${state}"`)
}

export const numberOf = (raw: string) => {
  if (/^[1-9]\d{0,8}$/.test(raw)) return Number(raw)
  throw invalid('The version in the address must be a number from 1')
}

/** Characters of the texts of a body. */
const charsOf = (body: object) =>
  Object.values(body).reduce((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)

const shownVersion = ({ version, changedAt, bytes }: EarlierVersion) => ({
  version,
  changedAt: new Date(changedAt).toISOString(),
  bytes,
})

/** Changes items of a key, and shows and removes what they were before. */
export const createChangeHandlers = <T extends Item>(parts: ChangesParts<T>) => {
  const { singular, name: kind, own, readChange, maxBodyBytes, recordOf, sizeOf, origin, log } = parts

  const { made } = createCollector()

  const answer = async (context: KeyedContext, item: T) =>
    json({ success: true, [singular]: await recordOf(context, item) }, 200, { ETag: tagOf(item) })

  return {
    /** `PATCH /pastes/<id>` */
    change: async ({ name, request, server, holder }: KeyedContext & NamedContext) => {
      const body = await readJsonObject({ request, server }, maxBodyBytes)
      const change = readChange(body, origin.addresses({ request, server }))
      const item = await own
        .change(holder.name, name, change, isExpectedBy(request))
        .finally(() => made(charsOf(body)))
      log('info', `${kind} changed`, { id: item.id, owner: holder.name, version: versionOf(item) })
      return answer({ request, server, holder }, item)
    },

    /** `GET /pastes/<id>/versions`: the newest first. */
    versions: async ({ name, holder }: KeyedContext & NamedContext) => {
      const item = await own.find(holder.name, name)
      const newest = {
        version: versionOf(item),
        changedAt: item.changedAt ?? item.createdAt,
        bytes: sizeOf(item),
      }
      const versions = [newest, ...(item.earlier ?? []).toReversed()].map(shownVersion)
      return json({ success: true, versions }, 200, { ETag: tagOf(item) })
    },

    /** `GET /pastes/<id>/versions/<version>` */
    version: async (context: KeyedContext & NamedContext & { params: { version?: string | null } }) => {
      const { name, holder, params } = context
      const item = await own.version(holder.name, name, numberOf(params.version ?? ''))
      return json({ success: true, [singular]: await recordOf(context, item) })
    },

    /** `DELETE /pastes/<id>/versions` */
    eraseVersions: async ({ name, holder }: KeyedContext & NamedContext) => {
      const { id } = await own.eraseVersions(holder.name, name)
      log('info', `earlier versions of a ${kind} deleted`, { id, owner: holder.name })
      return json({
        success: true,
        message: `The earlier versions of the ${kind} were deleted`,
      } satisfies Done)
    },
  }
}
