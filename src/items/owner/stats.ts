import Type, { type Static } from 'typebox'
import { done } from '../answers.ts'
import { instant } from '../any-item.ts'
import { object } from '../field.ts'

const kind = Type.Enum(['paste', 'link'], { description: 'What it is' })
const count = (description: string) => Type.Integer({ minimum: 0, description })
const owner = Type.String({ description: 'Name of the API key that made it' })
const held = {
  kind,
  items: count('How many there are'),
  bytes: count('Size of their texts or addresses in UTF-8, of the newest versions alone'),
}
const item = object({
  kind,
  id: Type.String({ description: 'The id of the item' }),
  owner,
  bytes: count('Size of its text or address in UTF-8'),
  createdAt: instant('When it was created'),
  expiresAt: Type.Optional(instant('Only where it expires: when')),
})

/** What one item is for the figures. */
export type StatsItem = Static<typeof item>

/** How many keys, days and items the figures list. */
export const statsLimits = { keys: 200, days: 30, items: 10 } as const

/** The figures of everything that is stored. */
export const Figures = object({
  at: instant('When this was counted'),
  totals: Type.Array(object(held), { description: 'Everything, by kind' }),
  keys: Type.Array(object({ owner, ...held }), {
    description: `The ${statsLimits.keys} keys and kinds with the most bytes`,
  }),
  days: Type.Array(
    object({
      day: Type.String({ pattern: String.raw`^\d{4}-\d\d-\d\d$`, description: 'The day in UTC' }),
      pastes: count('Pastes created that day that are still there'),
      links: count('Short links created that day that are still there'),
    }),
    { description: `The last ${statsLimits.days} days, today last` },
  ),
  largest: Type.Array(item, { description: `The ${statsLimits.items} largest items` }),
  expiring: Type.Array(item, { description: `The ${statsLimits.items} items that expire next` }),
  versions: object({
    count: count('How many earlier versions are kept'),
    bytes: count('Size of their texts or addresses in UTF-8'),
  }),
  disk: Type.Optional(
    object({
      freeBytes: count('What this user can still write'),
      totalBytes: count('Size of the disk'),
    }),
  ),
  index: Type.Enum(['whole', 'building', 'memory', 'none'], {
    description:
      '`building`: the figures are those of the items found so far. `memory`: no file can be written. `none`: every document was read',
  }),
})
export type Figures = Static<typeof Figures>

/** Answer of `GET /stats`. */
export const Stats = object({ success: done, ...Figures.properties })
