import Type, { type Static } from 'typebox'
import { expiring, object, Rate, Scope } from './schema.ts'

/** Answer of `GET /key`. */
export const KeyFacts = object({
  success: Type.Literal(true),
  name: Type.String({ description: 'Name of the API key' }),
  only: Type.Optional(Type.Enum(Scope.enum, { description: 'All it may create, where that is limited' })),
  rate: Type.Optional(
    Type.Object(Rate.properties, {
      description: 'Its own rate, where it has one: so many requests in so many seconds',
    }),
  ),
  ...expiring('Only where the key expires: when'),
})
export type KeyFacts = Static<typeof KeyFacts>
